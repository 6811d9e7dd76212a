import { expect, it } from 'vitest';
import { compiledSource, processTimeoutMs, runNode } from './helpers/compiled.js';

const instants = [
  '2026-03-09T17:00:00Z',
  '2026-12-31T16:59:59Z',
  '2026-12-31T17:00:00Z',
  '2028-02-28T17:00:00Z',
  '2028-02-29T17:00:00Z',
  '2026-03-08T06:30:00Z',
];

const script = () => `
  import { InstallmentClient } from '${compiledSource('entries/index.js')}';
  import { utcForm, lenderForm } from '${compiledSource('protocol/timestamps.js')}';
  for (const text of ${JSON.stringify(instants)}) {
    const now = new Date(text);
    const client = new InstallmentClient({
      baseUrl: 'https://pay.example', clientId: 'demo-client', secretKey: 'demo-secret', merchantId: 'M',
      now: () => now, maxRetries: 0,
      fetch: async (_url, { headers }) => {
        console.log(headers['Request-Time'], utcForm.write(now), lenderForm.write(now));
        throw new Error('far enough');
      },
    });
    await client.uploadInvoice({ referenceId: 'R', fileUrl: 'https://a.example/b' }).catch(() => undefined);
  }`;

const expected = [
  '2026-03-10 00:00:00 2026-03-09T17:00:00Z 2026-03-10T00:00:00+0700',
  '2026-12-31 23:59:59 2026-12-31T16:59:59Z 2026-12-31T23:59:59+0700',
  '2027-01-01 00:00:00 2026-12-31T17:00:00Z 2027-01-01T00:00:00+0700',
  '2028-02-29 00:00:00 2028-02-28T17:00:00Z 2028-02-29T00:00:00+0700',
  '2028-03-01 00:00:00 2028-02-29T17:00:00Z 2028-03-01T00:00:00+0700',
  '2026-03-08 13:30:00 2026-03-08T06:30:00Z 2026-03-08T13:30:00+0700',
].join('\n');

it.each([
  { TZ: 'UTC', LC_ALL: 'C' },
  { TZ: 'America/St_Johns', LC_ALL: 'en_CA.UTF-8' },
  { TZ: 'Asia/Bangkok', LC_ALL: 'th_TH.UTF-8', LANG: 'th-TH' },
  { TZ: 'Africa/Cairo', LC_ALL: 'ar_EG.UTF-8', LANG: 'ar-EG' },
  { TZ: 'Pacific/Kiritimati', LC_ALL: 'fa_IR.UTF-8' },
])(
  'the same instants have the same text in a process with $TZ and $LC_ALL',
  { timeout: processTimeoutMs },
  async (environment) => {
    expect(await runNode(script(), environment)).toBe(expected);
  },
);
