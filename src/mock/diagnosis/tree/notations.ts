import type { Style } from './write-tree.js';
import { decoded, isNumber, isText, plain } from './tree.js';

function pythonText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
  return quote + escaped + quote;
}

const pythonLiterals: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** A scalar as Python prints it. */
export function pythonScalar(raw: string): string {
  return isText(raw) ? pythonText(decoded(raw)) : (pythonLiterals[raw] ?? raw);
}

/** As `%v` of Go writes a float64. */
function goFloat(raw: string): string {
  const value = Number(raw);
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  if (Number(exponent) < 6 && Number(exponent) >= -4) return String(value);
  return `${digits}e${exponent.slice(0, 1)}${exponent.slice(1).padStart(2, '0')}`;
}

const python = {
  comma: ', ',
  colon: ': ',
  scalar: pythonScalar,
  name: (raw) => pythonText(decoded(raw)),
} satisfies Style;
const goScalar = (raw: string) => (raw === 'null' ? '<nil>' : plain(raw));
const rubyScalar = (raw: string) => (raw === 'null' ? 'nil' : raw);
const ruby: Style = { comma: ', ', colon: '=>', scalar: rubyScalar, name: (raw) => `"${decoded(raw)}"` };
const go: Style = { comma: ' ', braces: ['map[', ']'], scalar: goScalar, name: decoded };

/** Ways of writing objects and arrays that are not JSON. */
export const notations = {
  python,
  java: { comma: ', ', colon: '=', scalar: plain, name: decoded },
  ruby,
  ruby34: { ...ruby, colon: ' => ' },
  rubySymbols: { ...ruby, name: (raw) => `:${decoded(raw)}` },
  go,
  goFloats: { ...go, scalar: (raw) => (isNumber(raw) ? goFloat(raw) : goScalar(raw)) },
  singleQuotes: {
    scalar: (raw) => (isText(raw) ? pythonText(decoded(raw)) : raw),
    name: (raw) => `'${decoded(raw)}'`,
  },
  /** The canonical string of an upload, and forms. */
  pairs: { comma: '&', colon: '=', braces: ['', ''], scalar: plain, name: decoded },
  values: { colon: '', braces: ['', ''], scalar: plain, name: () => '' },
  xml: {
    comma: '',
    colon: '',
    braces: ['', ''],
    scalar: plain,
    name: (raw) => `<${decoded(raw)}>`,
    after: (raw) => `</${decoded(raw)}>`,
  },
} satisfies Record<string, Style>;
