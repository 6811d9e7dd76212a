/** The merchants that share the queue, by account. In production their credentials come from a secret store. */
import { InstallmentClient, type InstallmentClientOptions } from 'installment-payments';
import type { CheckedJob } from 'installment-payments/bullmq';

const credentials = JSON.parse(process.env['MERCHANTS'] ?? '{}') as Record<string, InstallmentClientOptions>;

// Made once, and kept.
const clients = new Map(
  Object.entries(credentials).map(([account, options]) => [account, new InstallmentClient(options)]),
);

/** The client of a job. A job of an account that is not known here fails with `not_sent CONFIGURATION`. */
export function clientOf({ data }: CheckedJob): InstallmentClient | undefined {
  return clients.get(String(data.account));
}
