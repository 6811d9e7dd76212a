import { describe, expect, test } from 'vitest';
import { initiate } from '../../helpers/signed-requests.js';
import { mockPages } from './support.js';

const path = '/_mock/ui/controls';

describe('the controls', () => {
  test('script a response', async () => {
    const { send, post, text } = mockPages();
    const answer = await post('/_mock/respond', {
      ...{ operation: 'initiatePayment', times: '1', referenceId: '' },
      ...{ 'answer.resultStatus': 'ACCESS_DENIED', 'answer.resultMsg': ' No. ', 'answer.httpStatus': '403' },
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, path]);
    expect(await text(path)).toContain('initiatePayment ACCESS_DENIED, HTTP 403 1');
    const refused = await send(initiate());
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ resultStatus: 'ACCESS_DENIED', resultMsg: 'No.' });
    expect(await text(path)).not.toContain('Waiting for requests');
  });

  test('script a fault, for one reference if it is given', async () => {
    const { mock, send, post } = mockPages();
    const fault = { operation: 'initiatePayment', fault: 'html-502', phase: 'after', times: '' };
    await post('/_mock/faults', { ...fault, referenceId: 'ORDER:2026-0001' });
    expect((await send(initiate())).status).toBe(502);
    expect(mock.payments.all()).toHaveLength(1);
    await post('/_mock/faults', { operation: 'initiatePayment', fault: 'hang', 'fault.delayMs': '1' });
    await send(initiate());
    expect(mock.journal.all()[1]?.fault).toEqual({ delayMs: 1 });
  });

  test('show the scripted responses and faults, also for custom operations', async () => {
    const { mock, page, text } = mockPages();
    mock.handle('/v2/refunds', () => ({}));
    mock.injectFault('initiatePayment', { delayMs: 5 }, { times: 2, referenceId: 'ORDER-9' });
    mock.respondWith('/v2/refunds', { body: 'x' }, { times: Infinity });
    const shown = await text(path);
    expect(shown).toContain('initiatePayment 5 ms late before the service acts 2 ORDER-9');
    expect(shown).toContain('/v2/refunds Custom response all');
    expect(await page(path)).toContain('<option>/v2/refunds</option>');
  });

  test('clear the scripted responses and faults', async () => {
    const { mock, send, post, text } = mockPages();
    mock.injectFault('initiatePayment', 'hang');
    mock.respondWith('initiatePayment', { resultStatus: 'ERROR_GENERAL' });
    expect(await text(path)).toContain('Remove these');
    expect((await post('/_mock/script/clear', {})).status).toBe(303);
    expect(await text(path)).not.toContain('Waiting for requests');
    expect(await (await send(initiate())).json()).toMatchObject({ resultStatus: 'APPROVED' });
  });

  test('settle a payment, and return to the page of the form', async () => {
    const { mock, send, post } = mockPages();
    await send(initiate());
    const answer = await post('/_mock/settle', { referenceId: ' ORDER:2026-0001 ', status: 'paid' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, path]);
    expect(mock.payments.get('ORDER:2026-0001')?.status).toBe('paid');
  });

  test('return to the inspector, and to no other website, if the browser does not name the page of the form', async () => {
    const { mock } = mockPages();
    for (const [referer, location] of [
      ['', '/_mock'],
      ['https://evil.example//phish?a=1', '/_mock'],
      ['https://evil.example/_mock/ui/lender?search=a', '/_mock/ui/lender?search=a'],
    ] as const) {
      const headers = { accept: 'text/html', ...(referer && { referer }) };
      const answer = await mock.fetch('https://mock.example/_mock/reset', { method: 'POST', headers });
      expect(answer.headers.get('location')).toBe(location);
    }
  });

  test('reset the mock, with a different scenario if one is selected', async () => {
    const { mock, send, post } = mockPages();
    await send(initiate());
    await post('/_mock/reset', { scenario: 'repeat-duplicate' });
    expect(mock.payments.all()).toEqual([]);
    expect(mock.scenario().repeat).toBe('duplicate');
    await post('/_mock/reset', { scenario: '' });
    expect(mock.scenario().repeat).toBe('duplicate');
  });

  test.each([
    ['respond', { operation: 'initiatePayment', 'answer.httpStatus': '99 bottles' }, 'answer.httpStatus'],
    ['faults', { operation: 'initiatePayment', 'fault.delayMs': 'soon' }, 'delayMs'],
    ['faults', { operation: 'initiatePayment', '__proto__.delayMs': '5' }, '__proto__'],
    ['settle', { referenceId: 'ORDER-9', status: 'paid' }, 'ORDER-9'],
    ['reset', { scenario: 'repeat-duplicated' }, 'did you mean repeat-duplicate?'],
  ])('%s explains the mistake in %j', async (control, fields, problem) => {
    const answer = await mockPages().post(`/_mock/${control}`, fields);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(problem);
  });
});
