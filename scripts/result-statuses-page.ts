import { readFile } from 'node:fs/promises';
import type { MerchantOperation } from '../src/protocol/endpoints.js';
import { resultStatuses, type ResultStatusInfo } from '../src/protocol/result-statuses.js';
import { formatted } from './formatted.js';

/** The page that has the tables of the result statuses. */
export const resultStatusesTarget = 'docs/errors.md';
const begin = '<!-- result statuses: `npm run generate -- result-statuses` writes this part -->';
const end = '<!-- end of result statuses -->';

/** The guide to errors with its tables of result statuses. `npm run generate -- result-statuses` writes it. */
export async function resultStatusesPage(): Promise<string> {
  const page = await readFile(resultStatusesTarget, 'utf8');
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${resultStatusesTarget} has no part for the result statuses`);
  // Most statuses are `rejected` and not retried, so only the other statuses show their outcome.
  const exceptionOf = ({ outcome, retryable }: ResultStatusInfo) =>
    outcome === 'rejected' ? '' : `**\`${outcome}\`${retryable ? ', retried' : ''}.** `;
  const tableOf = (operation: MerchantOperation) => [
    `### ${operation}`,
    '',
    '| status | meaning, and what to do |',
    '| --- | --- |',
    ...Object.entries<ResultStatusInfo>(resultStatuses[operation]).map(
      ([status, info]) =>
        `| ${status} | ${exceptionOf(info)}${info.meaning} ${info.action === 'None.' ? '' : info.action} |`,
    ),
    '',
  ];
  const part = [begin, '', ...tableOf('initiatePayment'), ...tableOf('uploadInvoice'), end].join('\n');
  return formatted(resultStatusesTarget, `${before ?? ''}${part}${after}`);
}
