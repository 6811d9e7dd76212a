import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
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
  const textOf = (info: ResultStatusInfo) =>
    `${exceptionOf(info)}${info.meaning} ${info.action === 'None.' ? '' : info.action}`.trimEnd();
  const payments: Readonly<Record<string, ResultStatusInfo>> = resultStatuses.initiatePayment;
  const uploads: Readonly<Record<string, ResultStatusInfo>> = resultStatuses.uploadInvoice;
  const sharedText = (status: string, ofPayment: ResultStatusInfo) => {
    const ofUpload = uploads[status];
    if (ofUpload === undefined) return undefined;
    return isDeepStrictEqual(ofPayment, ofUpload)
      ? textOf(ofPayment)
      : `${textOf(ofPayment)} For an upload: ${textOf(ofUpload)}`;
  };
  const tableOf = (
    heading: string,
    table: Readonly<Record<string, ResultStatusInfo>>,
    text: (status: string, info: ResultStatusInfo) => string | undefined,
  ) => [
    `### ${heading}`,
    '',
    '| status | meaning, and what to do |',
    '| --- | --- |',
    ...Object.entries(table).flatMap(([status, info]) => {
      const shown = text(status, info);
      return shown === undefined ? [] : `| ${status} | ${shown} |`;
    }),
    '',
  ];
  const part = [
    begin,
    '',
    ...tableOf('Both operations', payments, sharedText),
    ...tableOf('initiatePayment', payments, (status, info) => (status in uploads ? undefined : textOf(info))),
    ...tableOf('uploadInvoice', uploads, (status, info) => (status in payments ? undefined : textOf(info))),
    end,
  ].join('\n');
  return formatted(resultStatusesTarget, `${before ?? ''}${part}${after}`);
}
