import prettier from 'prettier';
import type { MerchantOperation } from '../src/protocol/endpoints.js';
import { resultStatuses, type ResultStatusInfo } from '../src/protocol/result-statuses.js';

/** The guide to the result statuses, as Markdown. `npm run generate -- result-statuses` writes it. */
export async function resultStatusesPage(): Promise<string> {
  // Most are `rejected` and not retried, so only the others say what they are.
  const exceptionOf = ({ outcome, retryable }: ResultStatusInfo) =>
    outcome === 'rejected' ? '' : `**\`${outcome}\`${retryable ? ', retried' : ''}.** `;
  const tableOf = (operation: MerchantOperation) => [
    `## ${operation}`,
    '',
    '| status | meaning, and what to do |',
    '| --- | --- |',
    ...Object.entries<ResultStatusInfo>(resultStatuses[operation]).map(
      ([status, info]) =>
        `| ${status} | ${exceptionOf(info)}${info.meaning} ${info.action === 'None.' ? '' : info.action} |`,
    ),
    '',
  ];
  const page = [
    '# Result statuses',
    '',
    "Every documented `resultStatus`, with its meaning and the merchant's action. Its outcome is `rejected`, and it is not retried, where",
    'nothing else is said; both are assumptions. After an earlier attempt with an unknown outcome, every status but',
    'APPROVED is `unknown` ([the one rule](outcomes-and-errors.md#the-one-rule)).',
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
