import { expect, test } from 'vitest';
import { createMockService, DEMO_MERCHANT } from '../../../src/entries/mock.js';
import { initiate, withHeaders } from '../../helpers/signed-requests.js';

const own = 'own-secret-key';
const other = 'other-secret-key';

test.each([
  ['its own key', own],
  ['the key of another merchant', other],
  ['its own key behind a scheme', `Bearer ${own}`],
  ['its own key in hex', Buffer.from(own).toString('hex')],
  ['the key of another merchant beside a digest', `${other}:${'0'.repeat(64)}`],
])(
  'a signature that is %s is refused, and the key appears neither in the response nor in the journal',
  async (_what, signature) => {
    const mock = createMockService({
      merchants: [
        { ...DEMO_MERCHANT, secretKey: own },
        { ...DEMO_MERCHANT, clientId: 'other-client', secretKey: other },
      ],
    });
    const { path, init } = withHeaders(initiate(), { Signature: signature });
    const send = async () => (await mock.fetch(`https://mock.example${path}`, init)).text();

    // The mock keeps the bytes of only a hundred refused requests.
    const responses: string[] = [];
    for (let sent = 0; sent < 101; sent += 1) responses.push(await send());

    const [first, ...later] = mock.journal.all();
    expect([first?.diagnosis?.cause, later.at(-1)?.diagnosis?.cause]).toEqual([
      'request-not-kept',
      expect.not.stringMatching('request-not-kept'),
    ]);
    const shown = JSON.stringify([
      responses.at(-1),
      first,
      first?.diagnosis,
      later.at(-1),
      later.at(-1)?.diagnosis,
    ]);
    expect(shown.match(/INVALID_SIGNATURE/g)?.length).toBeGreaterThan(2);
    expect([first?.diagnosis?.received, shown.includes(own), shown.includes(other)]).toEqual([
      expect.stringContaining('<secret key>'),
      false,
      false,
    ]);
  },
);

test('a key that begins with another key of the merchant is replaced as a whole', async () => {
  const mock = createMockService({ merchants: [{ ...DEMO_MERCHANT, secretKey: [own, `${own}-next`] }] });
  const { path, init } = withHeaders(initiate(), { Signature: `Bearer ${own}-next` });
  for (let sent = 0; sent < 101; sent += 1) await mock.fetch(`https://mock.example${path}`, init);
  expect(mock.journal.all()[0]?.diagnosis?.received).toBe('Bearer <secret key>');
});
