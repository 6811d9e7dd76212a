import type { ServiceFile } from '../probe/file/service-file.js';
import type { Observation } from '../probe/judge/observations.js';
import { isLink, responseText, type Attempt } from '../probe/judge/transcript.js';
import { printable, table } from '../../values/texts.js';

/** Describes a request and its response in one line. */
export function attemptLine({ number, request, response, lost }: Attempt): string {
  const { operation, content, sender, referenceId, inPair } = request;
  const asked = `${content} ${operation === 'uploadInvoice' ? 'upload' : 'order'} ${referenceId}`;
  const notes = [sender !== 'right' && sender, inPair && 'in a pair'].filter(
    (note) => typeof note === 'string',
  );
  const answer = response ? responseText(response) : `no response (${lost})`;
  return printable(`${String(number).padStart(3)}  ${[asked, ...notes].join(', ')}: ${answer}`);
}

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

function effectOf({ state, value, assumed, observed, set, noOption }: Observation): string {
  if (state === 'not_seen') return `not seen. ${observed}`;
  if (noOption) return `${shown(value)}, not ${shown(assumed)}: there is no option for this. ${observed}`;
  if (!set) return `${shown(value)}: nothing to set`;
  const [option] = Object.values(set);
  return `${shown(value)}, not ${shown(assumed)}: set ${Object.keys(set).join(' and ')} to ${shown(option)}`;
}

/** Lists everything that might have been created, in lines. */
export function createdLines({ created, transcript }: Pick<ServiceFile, 'created' | 'transcript'>): string[] {
  const lines = [
    ...created.payments.map((each) => ({ kind: 'a payment', ...each })),
    ...created.invoices.map((each) => ({ kind: 'an invoice', ...each })),
  ].map(({ kind, referenceId, isCertain }) => `  ${referenceId}  ${isCertain ? '' : 'perhaps '}${kind}`);
  const links = new Set(transcript.filter(isLink).map(({ response }) => response?.link)).size;
  return [
    lines.length === 0 ? 'Nothing was created.' : `Created (different payment links: ${links}):`,
    ...lines,
  ];
}

/** Describes the result of a probe: what was observed, and everything that might have been created. */
export function resultText(file: ServiceFile, path: string): string {
  const { observations, isComplete, why } = file;
  return [
    '',
    ...table(observations.map((each) => [each.id, effectOf(each)])),
    '',
    ...createdLines(file),
    '',
    ...(isComplete ? [] : [`Stopped early: ${why}.`]),
    `Written to ${path}. Pass its client.wire to the client as wire, and the file to mock and rehearse with --service ${path}.`,
  ]
    .map((line) => printable(line))
    .join('\n');
}
