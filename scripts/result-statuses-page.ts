import prettier from 'prettier';
import type { MerchantOperation } from '../src/protocol/endpoints.js';
import { resultStatuses, type ResultStatusInfo } from '../src/protocol/result-statuses.js';

/** The guide to the result statuses, as Markdown. `npm run generate -- result-statuses` writes it. */
export async function resultStatusesPage(): Promise<string> {
  const tableOf = (operation: MerchantOperation) => [
    `## ${operation}`,
    '',
    '| status | meaning | what to do | outcome | retried |',
    '| --- | --- | --- | --- | --- |',
    ...Object.entries<ResultStatusInfo>(resultStatuses[operation]).map(
      ([status, { meaning, action, outcome, retried }]) =>
        `| ${status} | ${meaning} | ${action} | \`${outcome}\` | ${retried ? 'yes' : 'no'} |`,
    ),
    '',
  ];
  const page = [
    '# Result statuses',
    '',
    "Every documented `resultStatus`, with its meaning and the merchant's action. The outcome and whether the client retries are",
    'decisions of this package: the specification does not state them. Both are for a call without an earlier attempt. After one',
    'with an unknown outcome, every status but APPROVED is `unknown` ([the one rule](outcomes-and-errors.md#the-one-rule)).',
    '',
    ...tableOf('initiatePayment'),
    ...tableOf('uploadInvoice'),
    '## In code',
    '',
    '`resultStatuses` is the same table as data, and `error.code` is the status:',
    '',
    '```ts',
    "import { resultStatuses } from 'installment-payments';",
    '',
    'console.log(resultStatuses.uploadInvoice.LIMIT_EXCEEDED.action); // Remove one …',
    '```',
    '',
  ].join('\n');
  const options = await prettier.resolveConfig('docs/result-statuses.md');
  return prettier.format(page, { ...options, parser: 'markdown' });
}
