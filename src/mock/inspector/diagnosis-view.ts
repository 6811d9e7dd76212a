import type { Diagnosis } from '../diagnosis.js';
import { html, type Markup } from '../pages/markup.js';
import { align, type AlignedCharacter, type AlignedLine } from './alignment.js';

const lineWidth = 64;

/** Why a signature was refused: the cause in words, then both texts in line with the first difference marked. */
export function diagnosisView(diagnosis: Diagnosis): Markup {
  const { cause, message, compared, expected, received, firstDifference } = diagnosis;
  const title = compared === 'signature' ? 'Signatures' : 'Signed texts';
  return html`<section class="panel diagnosis" aria-labelledby="diagnosis">
    <h2 id="diagnosis">The signature does not match</h2>
    <p class="message">${message}</p>
    <p class="quiet">
      Cause
      <code>${cause}</code
      >${firstDifference && html` · first difference at byte <b>${firstDifference.byte}</b>`}
    </p>
    <div class="aligned" role="group" aria-label="${title}, expected above received" tabindex="0">
      ${align(expected, received, lineWidth).map(alignedLine)}
    </div>
    <p class="legend quiet">
      <span><i class="key expected"></i>Expected by the service</span>
      <span><i class="key received"></i>Received</span>
      <span><i class="key first"></i>First difference</span>
    </p>
  </section>`;
}

function alignedLine({ expected, received, same }: AlignedLine): Markup {
  if (same) return html`<pre class="same"><b> </b>${runs(expected)}</pre>`;
  return html`<pre class="expected"><b>E</b>${runs(expected)}</pre>
    <pre class="received"><b>R</b>${runs(received)}</pre>`;
}

/** Neighbours that are marked alike share one element. */
function runs(characters: readonly AlignedCharacter[]): Markup[] {
  const pieces: { text: string; differs: boolean; first: boolean }[] = [];
  for (const character of characters) {
    const last = pieces.at(-1);
    if (last && !last.first && !character.first && last.differs === character.differs)
      last.text += character.text;
    else pieces.push({ ...character });
  }
  return pieces.map(({ text, differs, first }) => {
    if (first) return html`<mark class="first">${text}</mark>`;
    return differs ? html`<mark>${text}</mark>` : html`${text}`;
  });
}
