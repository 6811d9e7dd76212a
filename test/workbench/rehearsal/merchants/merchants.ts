import { compiledCommand } from '../../../helpers/compiled.js';
import type { RuleName } from '../../../../src/workbench/findings/all-rules.js';
import type { ScenarioName } from '../../../../src/entries/mock.js';

/**
 * Small backends with one realistic mistake each, and backends without any. The first line of each file names the
 * mistake.
 */

export interface PlantedMerchant {
  /** The path of the backend in this folder. */
  readonly file: string;
  /**
   * True for a server on WEBHOOK_PORT: `POST /checkout?order=ID` returns the payment URL, `POST /webhook` accepts
   * webhooks, and `GET /orders/{reference}` returns the state of an order. Its orders are placed by
   * `customers.mjs`. False for a command that places three orders and ends.
   */
  readonly isServer: boolean;
  /** The rule that finds the mistake; undefined for a backend without a mistake. */
  readonly rule?: RuleName;
  /** Scenarios in which the mistake shows. It can show in further scenarios. */
  readonly scenarios?: readonly string[];
  /** Set if the mistake shows only if the rehearsal pays before the backend has the response. */
  readonly customer?: 'pays';
}

const command = (file: string, rule?: RuleName, ...scenarios: ScenarioName[]): PlantedMerchant => ({
  file,
  isServer: false,
  ...(rule && { rule, scenarios }),
});
const server = (...row: Parameters<typeof command>): PlantedMerchant => ({
  ...command(...row),
  isServer: true,
});

export const plantedMerchants: readonly PlantedMerchant[] = [
  command(
    'wrong/new-reference-after-timeout.mjs',
    'new-reference-after-unknown',
    'lost-response',
    'uploads-recognised',
  ),
  command('wrong/short-patience.mjs', 'new-reference-after-unknown', 'slow'),
  command('wrong/server-error-means-failed.php', 'new-reference-after-unknown', 'gateway'),
  command('wrong/duplicate-means-failed.py', 'new-reference-after-unknown', 'repeat-duplicate'),
  command(
    'wrong/outcome-not-read.ts',
    'new-reference-after-unknown',
    ...(['repeat-invalid', 'repeat-conflict', 'outage'] as const),
  ),
  command('wrong/timeout-means-not-sent.mjs', 'new-reference-after-unknown', 'hang'),
  command('wrong/response-time-required.mjs', 'two-payments', 'sparse-responses'),
  command('wrong/trusts-the-key.mjs', 'two-payments', 'repeat-another'),
  command('wrong/new-key-per-retry.mjs', 'new-key', 'lost-response'),
  command('wrong/body-rebuilt-per-retry.py', 'key-reused', 'lost-response'),
  command('wrong/rebuilt-with-its-own-key.ts', 'request-rebuilt', 'lost-response'),
  command('wrong/follows-redirects.mjs', 'redirect-followed', 'redirected'),
  command('wrong/retries-in-a-loop.php', 'repeats-for-ever', 'repeat-duplicate'),
  command('wrong/http-error-retried.php', 'new-key', 'refusals-by-kind'),
  command('wrong/unknown-field-refused.py', 'two-payments', 'extra-fields', 'processing-first'),
  command('wrong/amount-of-a-tenth.mjs', 'order-odd', 'baseline'),
  command('wrong/loop-while-retryable.ts', 'repeats-for-ever', 'repeat-processing'),
  command('wrong/uploads-again.py', 'upload-again', 'lost-response'),
  server('wrong/check-then-act.ts', 'upload-again', 'notification-together'),
  command('wrong/uploads-before-paid.sh', 'upload-unconfirmed', 'baseline'),
  server('wrong/any-signature.py', 'forged-accepted', 'forged'),
  server('wrong/late-payment-ignored.php', 'paid-not-counted', 'settled-late'),
  server('wrong/last-notification-wins.ts', 'paid-not-counted', 'reordered'),
  {
    ...server('wrong/unknown-reference-acknowledged.ts', 'paid-not-counted', 'notification-early'),
    customer: 'pays',
  },
  {
    ...server('wrong/stored-after-the-answer.ts', 'paid-not-counted', 'notification-once'),
    customer: 'pays',
  },
  server('wrong/unknown-reference-acknowledged.ts', 'unknown-acknowledged', 'decoys'),
  server('wrong/hourly-job.ts', 'retry-not-seen', 'outage'),
  command('wrong/no-idempotency-key.mjs', 'no-key', 'baseline'),
  command('wrong/gives-up.sh', 'unknown-abandoned', 'lost-response'),
  command('wrong/retry-after-ignored.mjs', 'retry-after-ignored', 'rate-limited'),
  command('wrong/request-time-in-utc.sh', 'request-time-off', 'baseline'),
  server('wrong/repeated-notification-refused.ts', 'notification-refused', 'notification-twice'),
  command('right/plain.mjs'),
  command('right/plain.py'),
  command('right/plain.php'),
  command('right/plain.sh'),
  command('right/client.ts'),
  server('right/server.mjs'),
  server('right/server.py'),
  server('right/client-server.ts'),
];

/** A backend with a mistake. */
export type WrongMerchant = PlantedMerchant & Required<Pick<PlantedMerchant, 'rule' | 'scenarios'>>;

export const wrongMerchants = plantedMerchants.filter(
  (merchant): merchant is WrongMerchant => merchant.rule !== undefined,
);

/** The command that starts a backend. Backends with the client are compiled with its sources. */
export async function commandOf(
  { file, isServer }: PlantedMerchant,
  port: number,
): Promise<[string, ...string[]]> {
  const path = `test/workbench/rehearsal/merchants/${file}`;
  if (file.endsWith('.ts')) return [process.execPath, await compiledCommand(path)];
  if (file.endsWith('.mjs')) return [process.execPath, path];
  if (file.endsWith('.py')) return ['python3', path];
  if (file.endsWith('.sh')) return ['sh', path];
  return isServer ? ['php', '-S', `127.0.0.1:${port}`, path] : ['php', path];
}
