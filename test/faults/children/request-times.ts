/** Writes the Request-Time that each of some awkward instants is sent with, in whatever zone and locale it runs. */
import { InstallmentClient, type Fetch } from '../../../src/index.js';
import { approvedPayment, demo, paymentRequest } from '../../helpers/samples.js';

const instants = [
  '2026-11-19T17:00:00Z',
  '2026-11-19T16:59:59.999Z',
  '2026-12-31T16:59:59Z',
  '2026-12-31T17:00:00Z',
  '2028-02-28T17:00:00Z',
  '2028-02-29T16:59:59Z',
  '2026-03-08T05:31:00Z',
];

const times: (string | undefined)[] = [];
const fetch: Fetch = (_input, init) => {
  times.push((init?.headers as Record<string, string>)['Request-Time']);
  return Promise.resolve(Response.json(approvedPayment()));
};

for (const instant of instants) {
  const client = new InstallmentClient({ ...demo, fetch, now: () => new Date(instant) });
  await client.initiatePayment(paymentRequest());
}
const { locale, timeZone } = new Intl.DateTimeFormat().resolvedOptions();
process.stdout.write(JSON.stringify({ locale, timeZone, times }));
