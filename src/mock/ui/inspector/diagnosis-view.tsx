import { invoiceCanonicalString } from '../../../protocol/canonical-string.js';
import type { ResolvedWireSwitches } from '../../../protocol/wire-switches.js';
import type { Diagnosis } from '../../diagnosis/types.js';
import { isWhole } from '../../state/journal.js';
import type { JournalEntry } from '../../state/journal-types.js';
import { CopyButton, ExactText } from '../shared/exact-text.js';
import { Causes } from './badges.js';
import { Panel } from './panel.js';
import { TextComparison } from './text-comparison.js';

interface DiagnosisViewProps {
  readonly diagnosis: Diagnosis;
  readonly entry: JournalEntry;
  readonly wire: ResolvedWireSwitches;
}

/** Why a signature was refused, what to do about it, and the two texts with their differences marked. */
export function DiagnosisView({ diagnosis, entry, wire }: DiagnosisViewProps) {
  const { message, fix, checks, compared, firstDifference } = diagnosis;
  return (
    <Panel id="diagnosis" title="The signature does not match" kind="diagnosis">
      <p class="badges">
        <Causes diagnosis={diagnosis} />
      </p>
      <p class="message">{message}</p>
      {checks ? (
        <>
          <h3>What to check, in this order</h3>
          <ol class="checks">
            {checks.map((check) => (
              <li>{check}</li>
            ))}
          </ol>
          <BytesToSign entry={entry} wire={wire} />
        </>
      ) : (
        <div class="notice fix">
          <h3>How to fix it</h3>
          <p>{fix}</p>
        </div>
      )}
      <h3>
        {compared === 'signature'
          ? 'The signature, and the one that was sent'
          : entry.fields
            ? 'What to sign of the form you sent, and what you signed'
            : 'The body you sent, and what you signed'}
        {firstDifference && <span class="quiet"> first difference at byte {firstDifference.byte}</span>}
      </h3>
      <TextComparison
        diagnosis={diagnosis}
        labels={
          compared === 'signature'
            ? ['Expected signature', 'Signature you sent']
            : [entry.fields ? 'Canonical string of the form you sent' : 'Body you sent', 'What you signed']
        }
      />
    </Panel>
  );
}

/** The text whose bytes are to be signed, where the journal has the whole of it. */
function BytesToSign({ entry, wire }: Pick<DiagnosisViewProps, 'entry' | 'wire'>) {
  const text = entry.fields ? invoiceCanonicalString(entry.fields, wire) : entry.body;
  if (text === undefined || !isWhole(entry)) {
    return <p class="quiet">The journal does not have the whole text to sign.</p>;
  }
  return (
    <>
      <div class="heading">
        <h3>The exact bytes to sign ({Buffer.byteLength(text)})</h3>
        <CopyButton of="to-sign" label="Copy the bytes" />
      </div>
      <ExactText id="to-sign" text={text} />
    </>
  );
}
