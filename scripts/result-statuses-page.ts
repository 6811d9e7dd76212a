import { readFile } from 'node:fs/promises';
import { resultStatuses, type ResultStatusInfo } from '../src/protocol/result-statuses.js';
import { formatted } from './formatted.js';

/** The page that has the tables of the result statuses. */
export const resultStatusesTarget = 'docs/errors.md';
const begin = '<!-- result statuses: `npm run generate -- result-statuses` writes this part -->';
const end = '<!-- end of result statuses -->';

/** The statuses whose name says as much as their text. */
const namedMistakes: ReadonlySet<string> = new Set([
  'INVALID_REQUEST',
  'INVALID_STORE_ID',
  'INVALID_CLIENT_ID',
  'INVALID_SIGNATURE',
  'INVALID_MERCHANT_ID',
  'INVALID_HTTP_METHOD',
  'INVALID_API',
  'INVALID_AMOUNT',
  'PHONE_NUMBER_INVALID',
  'AMOUNT_EXCEEDED_UPPER_LIMIT',
  'AMOUNT_BELOW_MINIMUM_LIMIT',
  'INVALID_FILE_TYPE',
  'FILE_TOO_LARGE',
] satisfies (keyof typeof resultStatuses.initiatePayment | keyof typeof resultStatuses.uploadInvoice)[]);

const isExplained = (status: string) => !namedMistakes.has(status);

/** The guide to errors with its tables of result statuses. `npm run generate -- result-statuses` writes it. */
export async function resultStatusesPage(): Promise<string> {
  const page = await readFile(resultStatusesTarget, 'utf8');
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${resultStatusesTarget} has no part for the result statuses`);
  // Most statuses are `rejected` and not retried, so only the other statuses show their outcome.
  const exceptionOf = ({ outcome, retryable }: ResultStatusInfo) =>
    outcome === 'rejected' ? '' : `**\`${outcome}\`${retryable ? ', retried' : ''}.** `;
  // A meaning that only repeats the name of the status is left out.
  const isNamed =
    /^(?:Access is denied|The [\w ]+ is (?:invalid|unavailable|not \w+|(?:above|below) the configured \w+))\.$/;
  const textOf = (info: ResultStatusInfo) => {
    const sentences = [
      isNamed.test(info.meaning) ? '' : info.meaning,
      info.action === 'None.' || info.retryable ? '' : info.action,
    ];
    return `${exceptionOf(info)}${sentences.filter((text) => text !== '').join(' ')}`;
  };
  const payments: Readonly<Record<string, ResultStatusInfo>> = resultStatuses.initiatePayment;
  const uploads: Readonly<Record<string, ResultStatusInfo>> = resultStatuses.uploadInvoice;
  const rows = Object.keys({ ...payments, ...uploads })
    .filter(isExplained)
    .map((status) => {
      const [ofPayment, ofUpload] = [payments[status], uploads[status]];
      // The text about uploads is shown only if it tells more than the text about payments.
      const tellsMore =
        ofPayment === undefined ||
        ofPayment.outcome !== ofUpload?.outcome ||
        status === 'INVALID_REFERENCE_ID';
      const texts = [ofPayment, tellsMore ? ofUpload : undefined]
        .filter((info) => info !== undefined)
        .map(textOf);
      return {
        place: ofUpload === undefined ? 1 : ofPayment === undefined ? 2 : 0,
        row: `- \`${status}\`: ${[...new Set(texts)].join(' For an upload: ')}`,
      };
    });

  const part = [
    begin,
    '',
    'If no outcome is in bold, the outcome is `rejected`. The client itself retries what is marked "retried":',
    '',
    ...rows.toSorted((one, other) => one.place - other.place).map(({ row }) => row),
    `- ${[...namedMistakes].map((status) => `\`${status}\``).join(', ')}: Correct what the name says. \`error.action\` has the details.`,
    '',
    end,
  ].join('\n');
  return formatted(resultStatusesTarget, `${before ?? ''}${part}${after}`);
}
