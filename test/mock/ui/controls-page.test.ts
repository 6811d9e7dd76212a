import { describe, expect, it } from 'vitest';
import { mockPages } from './support.js';
import { initiate } from '../../helpers/signed-requests.js';

describe('the control panel', () => {
  it('lines up a result', async () => {
    const { send, post, text } = mockPages();
    const fields = {
      operation: 'initiatePayment',
      resultStatus: 'ACCESS_DENIED',
      resultMsg: 'No.',
      httpStatus: '403',
      times: '1',
    };
    const answer = await post('/_mock/ui/respond', fields);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/_mock/ui/controls?done=respond']);
    expect(await text('/_mock/ui/controls?done=respond')).toContain(
      'The next request that fits gets this answer.',
    );
    const refused = await send(initiate());
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ resultStatus: 'ACCESS_DENIED', resultMsg: 'No.' });
    expect(await (await send(initiate())).json()).toMatchObject({ resultStatus: 'APPROVED' });
  });

  it('lines up a fault, for one reference if it is given', async () => {
    const { mock, send, post } = mockPages();
    const fields = {
      operation: 'initiatePayment',
      fault: 'html-502',
      phase: 'after',
      times: '',
      referenceId: 'ORDER:2026-0001',
    };
    await post('/_mock/ui/fault', fields);
    expect((await send(initiate())).status).toBe(502);
    expect(mock.payments.all()).toHaveLength(1);
    await post('/_mock/ui/fault', { operation: 'initiatePayment', fault: 'delay', delayMs: '1' });
    await send(initiate());
    expect(mock.journal.all()[1]?.fault).toEqual({ delayMs: 1 });
  });

  it('lists what is lined up, in the order in which it is used, and cancels one', async () => {
    const { mock, send, post, page, text } = mockPages();
    expect(await text('/_mock/ui/controls')).toContain('Nothing: every request takes its usual course.');
    mock.handle('/v2/refunds', () => ({}));
    mock.injectFault('initiatePayment', 'html-502', { times: 2, referenceId: 'ORDER-9' });
    mock.injectFault('initiatePayment', { delayMs: 5 }, { phase: 'after' });
    mock.respondWith('initiatePayment', { resultStatus: 'ACCESS_DENIED', httpStatus: 403 });
    mock.respondWith('uploadInvoice', { body: 'x' }, { times: Infinity });
    mock.respondWith('/v2/refunds', { resultMsg: 'Later.' });
    mock.respondWith('/v2/refunds', { headers: { 'x-own': '1' } });
    const shown = await text('/_mock/ui/controls');
    for (const row of [
      'initiatePayment html-502 the next 2 requests with ORDER-9 Cancel',
      'initiatePayment 5 ms late after the service acted the next request Cancel',
      'initiatePayment ACCESS_DENIED, HTTP 403 the next request Cancel',
      'uploadInvoice a body of its own every request Cancel',
      '/v2/refunds Later. the next request Cancel',
      '/v2/refunds headers of its own the next request Cancel',
    ])
      expect(shown.replaceAll(/\s+/g, ' ')).toContain(row);
    expect(await page('/_mock/ui/controls')).toContain('<option value="/v2/refunds">');

    const answer = await post('/_mock/ui/cancel', { kind: 'answer', id: '1' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/_mock/ui/controls']);
    expect(await text('/_mock/ui/controls')).not.toContain('ACCESS_DENIED, HTTP 403');
    for (const fields of [{ kind: 'fault', id: '2' }, { kind: 'fault', id: 'x' }, {}])
      expect((await post('/_mock/ui/cancel', fields)).status).toBe(303);
    expect(await (await send(initiate())).json()).toMatchObject({ resultStatus: 'APPROVED' });
    expect(mock.journal.get(1)).not.toHaveProperty('fault');
  });

  it('settles a payment and returns to the page of the form', async () => {
    const { mock, send, post } = mockPages();
    await send(initiate());
    const fields = { referenceId: ' ORDER:2026-0001 ', status: 'paid' };
    expect((await post('/_mock/ui/settle', fields)).headers.get('location')).toBe(
      '/_mock/ui/controls?done=settle',
    );
    expect(mock.payments.get('ORDER:2026-0001')?.status).toBe('paid');
    const again = await post('/_mock/ui/settle', {
      ...fields,
      merchantId: 'DEMO-MERCHANT',
      from: 'payments',
    });
    expect(again.headers.get('location')).toBe('/_mock/ui/payments');
    for (const [from, place] of [
      ['payments/00000001', 'payments/00000001'],
      ['payments/../../..', 'controls?done=settle'],
      ['//evil.example', 'controls?done=settle'],
    ] as const) {
      const { headers } = await post('/_mock/ui/settle', { ...fields, from });
      expect(headers.get('location')).toBe(`/_mock/ui/${place}`);
    }
  });

  it('resets the mock into another world, or keeps the current one if none is chosen', async () => {
    const { mock, post } = mockPages();
    await post('/_mock/ui/reset', { sure: 'yes', world: 'repeat-duplicate' });
    expect(mock.world().repeat).toBe('duplicate');
    await post('/_mock/ui/reset', { sure: 'yes', world: '' });
    expect(mock.world().repeat).toBe('duplicate');
    const refused = await post('/_mock/ui/reset', { sure: 'yes', world: 'repeat-duplicated' });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('did you mean repeat-duplicate?');
    expect(mock.world().repeat).toBe('duplicate');
  });

  it('resets the mock', async () => {
    const { mock, send, post } = mockPages();
    await send(initiate());
    await post('/_mock/ui/reset', { sure: 'yes' });
    expect(mock.payments.all()).toEqual([]);
  });

  it.each([
    ['respond', { operation: 'initiatePayment', resultMsg: '', httpStatus: '99 bottles' }],
    ['respond', { operation: 'initiatePayment', times: '1' }],
    ['respond', { operation: 'toString', resultStatus: 'X' }],
    ['fault', { operation: 'initiatePayment', fault: 'flood' }],
    ['fault', { operation: 'initiatePayment', fault: 'delay', delayMs: 'soon' }],
    ['settle', { referenceId: 'ORDER-9', status: 'paid' }],
    ['settle', { referenceId: 'ORDER-9', status: 'lost' }],
  ])('%s explains the mistake in %j and keeps the texts of the form', async (control, fields) => {
    const { post } = mockPages();
    const answer = await post(`/_mock/ui/${control}`, fields);
    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(page.match(/role="alert"/g)).toHaveLength(1);
    for (const typed of Object.values(fields).filter((text) => text.includes(' ') || text.includes('-9'))) {
      expect(page).toContain(`value="${typed}"`);
    }
  });

  it('refuses a file in place of a text', async () => {
    const { mock } = mockPages();
    const body = new FormData();
    body.set('referenceId', new Blob(['x']), 'x');
    const answer = await mock.fetch('http://localhost/_mock/ui/settle', { method: 'POST', body });
    expect(answer.status).toBe(400);
  });
});

describe('the lender', () => {
  it('sends a receipt and redirects to its request', async () => {
    const { mock, post } = mockPages();
    const fields = {
      contractNumber: 'C-1',
      lenderTransactionCode: 'LTC-1',
      receivedAmount: '1500000',
      receivedStatus: 'SUCCESS',
    };
    const answer = await post('/_mock/ui/lender/receipt', { ...fields, reversalReason: '' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/_mock/ui/requests/1']);
    expect(mock.receipts.all()).toMatchObject([
      { ...fields, receivedAmount: 1_500_000, receivedDatetime: '2026-11-20T10:04:05+0700' },
    ]);
  });

  it('sends an allocation whose total is exact', async () => {
    const { mock, post } = mockPages();
    const fields = {
      contractNumber: 'C-1',
      lenderTransactionCode: 'LTC-1',
      installmentNumber: '2',
      repaymentType: 'PARTIAL',
    };
    const parts = { allocatedPrincipal: '0.1', allocatedServiceFee: '0.2', allocatedPenalty: '' };
    await post('/_mock/ui/lender/allocation', { ...fields, ...parts });
    expect(mock.allocations.all()[0]?.repaymentTransactions).toMatchObject([
      { installmentNumber: 2, allocatedTotal: 0.3 },
    ]);
  });

  it('sends invalid fields as they are, and the mock refuses them', async () => {
    const { mock, post } = mockPages();
    await post('/_mock/ui/lender/receipt', { receivedAmount: 'much', receivedStatus: 'SUCCESS' });
    await post('/_mock/ui/lender/allocation', { installmentNumber: 'one', allocatedPrincipal: 'much' });
    expect(mock.journal.all().map(({ resultStatus }) => resultStatus)).toEqual([
      'INVALID_REQUEST',
      'INVALID_REQUEST',
    ]);
  });

  it('uses the configured name of the masked field', async () => {
    const { mock, post } = mockPages({ lender: { applicationIdField: 'acmeApplicationId' } });
    const fields = {
      contractNumber: 'C-1',
      lenderTransactionCode: 'LTC-1',
      receivedAmount: '1',
      receivedStatus: 'SUCCESS',
    };
    await post('/_mock/ui/lender/receipt', fields);
    expect(mock.receipts.all()).toHaveLength(1);
  });

  it('redirects to the request after an answer that never arrives', async () => {
    const { mock, post } = mockPages();
    mock.injectFault('paymentReceipt', 'connection-reset');
    const answer = await post('/_mock/ui/lender/receipt', { contractNumber: 'C-1' });
    expect(answer.headers.get('location')).toBe('/_mock/ui/requests/1');
  });

  it('redirects to the list if the request is not kept', async () => {
    const { mock, post } = mockPages();
    mock.subscribe(({ kind }) => {
      if (kind === 'request') mock.reset();
    });
    expect((await post('/_mock/ui/lender/receipt', {})).headers.get('location')).toBe('/_mock');
  });

  it('fills in its forms from a link', async () => {
    const { page } = mockPages();
    expect(await page('/_mock/ui/lender?contractNumber=C%221')).toContain('value="C&quot;1"');
  });
});
