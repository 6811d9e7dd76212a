import { invoiceCanonicalString } from '../../../protocol/canonical-string.js';
import type { ResolvedWireSwitches } from '../../../protocol/wire-switches.js';
import type { Diagnosis } from '../../diagnosis/types.js';
import { isWhole } from '../../state/kept-text.js';
import type { JournalEntry } from '../../state/journal-types.js';
import { badge, quiet } from '../shared/elements.js';
import { copyButton, exactText } from './exact-text.js';
import { panel } from './panel.js';
import { textComparison } from './text-comparison.js';

const signed = 'What you signed';

/** The heading of a comparison, and the names of its two texts. */
const compares = {
  signature: ['The signature, and the one that was sent', 'Expected signature', 'Signature you sent'],
  form: [
    'What to sign of the form you sent, and what you signed',
    'Canonical string of the form you sent',
    signed,
  ],
  body: ['The body you sent, and what you signed', 'Body you sent', signed],
} as const;

/** Why a signature was refused, what to do about it, and the two texts with their differences marked. */
export function diagnosisPanel(diagnosis: Diagnosis, entry: JournalEntry, wire: ResolvedWireSwitches) {
  const { cause, message, fix, checks, compared, firstDifference } = diagnosis;
  const [heading, ...names] = compares[compared === 'signature' ? compared : entry.fields ? 'form' : 'body'];
  const content = [
    <p class="badges">{cause.split(' + ').map((mistake) => badge('bad', <code>{mistake}</code>))}</p>,
    <p class="message">{message}</p>,
    checks ? [checklist(checks), bytesToSign(entry, wire)] : howToFix(fix),
    <h3>{[heading, firstDifference && quiet(` first difference at byte ${firstDifference.byte}`)]}</h3>,
    textComparison(diagnosis, names),
  ];
  return panel('diagnosis', 'The signature does not match', content, undefined, 'panel diagnosis');
}

const checklist = (checks: readonly string[]) => [
  <h3>What to check, in this order</h3>,
  <ol class="checks">
    {checks.map((check) => (
      <li>{check}</li>
    ))}
  </ol>,
];

const howToFix = (fix: string) => (
  <div class="notice fix">
    <h3>How to fix it</h3>
    <p>{fix}</p>
  </div>
);

/** The text whose bytes are to be signed, where the journal has the whole of it. */
function bytesToSign(entry: JournalEntry, wire: ResolvedWireSwitches) {
  const text = entry.fields ? invoiceCanonicalString(entry.fields, wire) : entry.body;
  if (text === undefined || !isWhole(entry))
    return <p class="quiet">The journal does not have the whole text to sign.</p>;
  const heading = <h3>The exact bytes to sign ({Buffer.byteLength(text)})</h3>;
  const button = copyButton('to-sign', 'Copy the bytes');
  return [<div class="heading">{[heading, button]}</div>, exactText(text, 'to-sign')];
}
