import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rules } from '../../../src/mock/findings/rules.js';
import { mockPages } from './support.js';
import { initiate, order } from '../../helpers/signed-requests.js';

const page = '/_mock/ui/findings';
const twice = [initiate(order(), { key: 'KEY-1' }), initiate(order(), { key: 'KEY-2' })];

describe('the page of findings', () => {
  it('lists the rules that are judged, and those that are not, while it is empty', async () => {
    const { text, page: markup } = mockPages();
    const shown = await text(page);
    expect(shown).toContain('No findings');
    const [judged, compared, asked] = shown.split(
      /Only installment-payments rehearse|Only rehearse with --order-url/,
    );
    expect(judged).toContain(`new-key ${rules['new-key'].means}`);
    expect(judged).not.toContain('two-payments');
    expect(compared).toContain(`two-payments ${rules['two-payments'].means}`);
    expect(asked).toContain(`paid-not-counted ${rules['paid-not-counted'].means}`);
    expect(asked).toContain('Requests that the journal has dropped, or that were cleared, are not judged.');
    for (const name of Object.keys(rules)) expect(shown).toContain(name);
    expect(await markup('/_mock')).toContain('data-standing="findings"></span>');
  });

  it('lists each finding under its rule, with the reason, the advice, its order and its requests', async () => {
    const { mock, send, text, page: markup } = mockPages();
    for (const request of [...twice, initiate(order({ referenceId: 'ORDER-3' }))]) await send(request);
    expect(mock.findings().map(({ rule }) => rule)).toEqual(['new-key', 'no-key']);
    const shown = await text(page);
    const { why, fix } = rules['new-key'];
    const [finding] = mock.findings();
    expect(shown).toContain(
      `new-key error ${finding?.message} ORDER:2026-0001 Request 1 Request 2 Why it matters ${why} What to do ${fix}`,
    );
    expect(shown).toMatch(
      /new-key error .* no-key warning No Idempotency-Key: request 3 \(ORDER-3\)\. ORDER-3 Request 3 /,
    );
    expect(shown).not.toContain('No findings');
    const links = await markup(page);
    for (const href of ['/_mock/ui/requests/1', '/_mock/ui/requests/2', '/_mock?reference=ORDER%3A2026-0001'])
      expect(links).toContain(`href="${href}"`);
  });

  it('is linked from every page, with the number of findings and the world', async () => {
    const { send, text, get, post } = mockPages({ world: 'lost-answer' });
    for (const request of twice) await send(request).catch(() => undefined);
    const header = /Lender Findings 1 World: lost-answer /;
    for (const path of ['/_mock', '/_mock/ui/requests/1', '/_mock/ui/payments', '/_mock/ui/controls', page])
      expect(await text(path)).toMatch(header);
    expect(await text('/_mock/ui/requests/99')).toMatch(header);
    expect(await (await post('/_mock/ui/settle', {})).text()).toContain('data-standing="findings">1</span>');
    expect(await (await get('/_mock/ui/standing')).json()).toEqual({ world: 'lost-answer', findings: '1' });
    await post('/_mock/ui/reset', { world: 'slow' });
    expect(await (await get('/_mock/ui/standing')).json()).toEqual({ world: 'slow', findings: '' });
  });

  it('describes the world by the answers that differ from the plain one', async () => {
    const { mock, text } = mockPages();
    expect(await text(page)).toContain("World: plain The mock's own answer to each question.");
    mock.reset({ world: { repeat: 'conflict', forged: true } });
    expect(await text(page)).toMatch(
      /World: repeat=conflict forged=true .*The same request under a known Idempotency-Key It is answered with HTTP 409/,
    );
  });

  it('shows markup in a reference as text', async () => {
    const { send, page: markup } = mockPages();
    const body = order({ referenceId: '<b>"1"</b>' });
    for (const key of ['KEY-1', 'KEY-2']) await send(initiate(body, { key }));
    const shown = await markup(page);
    expect(shown).not.toContain('<b>"1');
    expect(shown).toContain('&lt;b&gt;&quot;1&quot;&lt;/b&gt;</a>');
    expect(shown).toContain('href="/_mock?reference=%3Cb%3E%221%22%3C%2Fb%3E"');
  });

  it('links the first 20 requests of a finding, and the first 25 findings of a rule', async () => {
    const { mock, send, page: markup, text } = mockPages();
    for (let sent = 1; sent <= 26; sent += 1) {
      const body = order({ referenceId: `ORDER-${sent}` });
      for (const key of [`KEY-${sent}`, `OTHER-${sent}`, undefined])
        await send(initiate(body, { ...(key && { key }) }));
    }
    expect(mock.findings()).toHaveLength(26 + 1);
    expect((await text(page)).match(/and \d+ more/g)).toEqual(['and 1 more', 'and 20 more', 'and 6 more']);
    expect((await markup(page)).match(/>Request \d+</g)).toHaveLength(25 * 2 + 20);
  });
});

it('the guide to rehearsals has the rules of the page, in the same words', () => {
  const guide = readFileSync(new URL('../../../docs/rehearsal.md', import.meta.url), 'utf8');
  const rows = [...guide.matchAll(/^\| `([\w-]+)` +\| (error|warning) +\| (.*?) +\|$/gm)];
  expect(rows.map(([, name, level, means]) => [name, level, means?.replaceAll('`', '')])).toEqual(
    Object.entries(rules).map(([name, { level, means }]) => [name, level, means]),
  );
});
