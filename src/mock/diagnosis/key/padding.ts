import { mistakes, onKey, type Key, type Stage } from '../ingredient.js';
import { before, behind, inside, replaced, without } from '../text/rewrites.js';

/** White space, quotation marks and others around the secret key. */
export const keyPaddingStage: Stage<Key> = mistakes('secret-trimmed', 'The secret key was used %.', onKey, [
  [2, 'with a line feed at its end', behind('\n')],
  [2, 'with CR LF at its end', behind('\r\n')],
  [2, 'without the white space at its ends', without(/^[ \t\r\n\f\v\0]+|[ \t\r\n\f\v\0]+$/g)],
  [2, 'with a space at its end', behind(' ')],
  [2, 'with a space before it', before(' ')],
  [3, 'with a tab at its end', behind('\t')],
  [3, 'with a tab before it', before('\t')],
  [3, 'with a carriage return at its end', behind('\r')],
  [4, 'with two line feeds at its end', behind('\n\n')],
  [4, 'with a line feed before it', before('\n')],
  [4, 'with a space at each end', inside(' ')],
  [4, 'with a no-break space at its end', behind('\u00a0')],
  [4, 'with a zero-width space at its end', behind('\u200b')],
  [2, 'with " around it', inside('"'), 'secret-quoted'],
  [2, "with ' around it", inside("'"), 'secret-quoted'],
  [3, 'with ` around it', inside('`'), 'secret-quoted'],
  [3, 'without the quotation marks around it', replaced(/^(["'])(.*)\1$/gs, '$2'), 'secret-quoted.removed'],
  [4, 'with < and > around it', inside('<', '>'), 'secret-quoted.angle'],
  [4, "with Python's b'' around it", inside("b'", "'"), 'secret-quoted.python'],
  [3, 'with a byte order mark (U+FEFF) before it', before('\uFEFF'), 'secret-byte-order-mark'],
  [4, 'with : at its end', behind(':'), 'secret-extended'],
  [4, 'with ; at its end', behind(';'), 'secret-extended'],
  [4, 'with , at its end', behind(','), 'secret-extended'],
  [4, 'with = at its end', behind('='), 'secret-extended'],
  [3, 'with & at its end', behind('&'), 'secret-extended'],
  [4, 'with . at its end', behind('.'), 'secret-extended'],
]);
