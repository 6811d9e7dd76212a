import { invoiceCanonicalString } from '../../../protocol/canonical-string.js';
import type { ResolvedWireSwitches } from '../../../protocol/wire-switches.js';
import type { Diagnosis } from '../../diagnosis/types.js';
import { isWhole } from '../../state/journal.js';
import type { JournalEntry } from '../../state/journal-types.js';
import { badge } from '../shared/elements.js';
import { copyButton, exactText } from './exact-text.js';
import { Panel } from './panel.js';
import { textComparison } from './text-comparison.js';

/** The heading of a comparison, and the names of its two texts. */
const compares = {
  signature: ['The signature, and the one that was sent', 'Expected signature', 'Signature you sent'],
  form: [
    'What to sign of the form you sent, and what you signed',
    'Canonical string of the form you sent',
    'What you signed',
  ],
  body: ['The body you sent, and what you signed', 'Body you sent', 'What you signed'],
} as const;

/** Why a signature was refused, what to do about it, and the two texts with their differences marked. */
export function diagnosisPanel(diagnosis: Diagnosis, entry: JournalEntry, wire: ResolvedWireSwitches) {
  const { cause, message, fix, checks, compared, firstDifference } = diagnosis;
  const [heading, upper, lower] =
    compares[compared === 'signature' ? compared : entry.fields ? 'form' : 'body'];
  return (
    <Panel id="diagnosis" title="The signature does not match" kind="diagnosis">
      <p class="badges">{cause.split(' + ').map((mistake) => badge('bad', <code>{mistake}</code>))}</p>
      <p class="message">{message}</p>
      {checks ? (
        <>
          <h3>What to check, in this order</h3>
          <ol class="checks">
            {checks.map((check) => (
              <li>{check}</li>
            ))}
          </ol>
          {bytesToSign(entry, wire)}
        </>
      ) : (
        <div class="notice fix">
          <h3>How to fix it</h3>
          <p>{fix}</p>
        </div>
      )}
      <h3>
        {heading}
        {firstDifference && <span class="quiet"> first difference at byte {firstDifference.byte}</span>}
      </h3>
      {textComparison(diagnosis, [upper, lower])}
    </Panel>
  );
}

/** The text whose bytes are to be signed, where the journal has the whole of it. */
function bytesToSign(entry: JournalEntry, wire: ResolvedWireSwitches) {
  const text = entry.fields ? invoiceCanonicalString(entry.fields, wire) : entry.body;
  if (text === undefined || !isWhole(entry))
    return <p class="quiet">The journal does not have the whole text to sign.</p>;
  return (
    <>
      <div class="heading">
        <h3>The exact bytes to sign ({Buffer.byteLength(text)})</h3>
        {copyButton('to-sign', 'Copy the bytes')}
      </div>
      {exactText(text, 'to-sign')}
    </>
  );
}
