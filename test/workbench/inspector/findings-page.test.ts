import { describe, expect, test } from 'vitest';
import { initiate, order } from '../../helpers/signed-requests.js';
import { mockPages } from './support.js';

const path = '/_mock/ui/findings';
const twice = [initiate(order(), { key: 'KEY-1' }), initiate(order(), { key: 'KEY-2' })];

describe('the page of findings', () => {
  test('says what it proves while it is empty, and what is not judged', async () => {
    const shown = await mockPages().text(path);
    expect(shown).toContain('No findings');
    expect(shown).toContain('That proves nothing about code that did not run.');
    expect(shown).toContain('installment-payments rehearse');
  });

  test('lists each finding under its rule, with the reason, the advice, its order and its requests', async () => {
    const { mock, send, text, page } = mockPages();
    for (const request of twice) await send(request);
    const [finding] = mock.findings();
    expect(await text(path)).toContain(
      `${finding?.rule} ${finding?.level} ${finding?.message} ORDER:2026-0001 Request 1 Request 2 Why it matters ${finding?.why} What to do ${finding?.fix}`,
    );
    const links = await page(path);
    for (const href of ['/_mock/ui/requests/1', '/_mock/ui/requests/2', '/_mock?search=ORDER%3A2026-0001'])
      expect(links).toContain(`href="${href}"`);
  });

  test('is linked from every page, which also names the scenario', async () => {
    const { send, text, post } = mockPages({ scenario: 'lost-response' });
    for (const request of twice) await send(request).catch(() => undefined);
    const header = /Findings Lender Controls Scenario: lost-response /;
    for (const each of [
      '/_mock',
      '/_mock/ui/requests/1',
      '/_mock/ui/requests/99',
      '/_mock/ui/payments',
      path,
    ])
      expect(await text(each)).toMatch(header);
    await post('/_mock/reset', { scenario: 'slow' });
    expect(await text('/_mock')).toMatch(/Findings Lender Controls Scenario: slow /);
  });

  test('shows 20 findings of a rule, and the number of further findings', async () => {
    const { send, text } = mockPages();
    for (let sent = 1; sent <= 22; sent += 1) {
      const body = order({ referenceId: `ORDER-${sent}` });
      for (const key of [`KEY-${sent}`, `OTHER-${sent}`]) await send(initiate(body, { key }));
    }
    expect((await text(path)).match(/and \d+ more/g)).toEqual(['and 2 more']);
  });
});
