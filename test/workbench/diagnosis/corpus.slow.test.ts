import { expect, test } from 'vitest';
import { cases, order } from './corpus.js';
import * as lib from './languages.js';
import { json, php, python, recorded, sentText as sent } from './languages.js';
import { leadsToSignature } from './resign.js';
import { idsOf } from './support.js';

test.each([
  ['php: json_encode default', php(order)],
  ['php: JSON_UNESCAPED_UNICODE', php(order, 'unicode')],
  ['php: JSON_UNESCAPED_SLASHES', php(order, 'slashes')],
  ['php: JSON_PRETTY_PRINT default', php(order, 'pretty')],
  ['php: ksort default', php(lib.ksorted(order))],
  ['php: http_build_query', lib.httpBuildQuery(order)],
  ['php: urlencode', lib.urlencode(sent)],
  ['php: rawurlencode', lib.rawurlencode(sent)],
  ['python: json.dumps', python(order)],
  ['python: ensure_ascii=False', python(order, { ascii: false })],
  ['python: compact, ensure_ascii', python(order, { separators: [',', ':'] })],
  ['python: sort_keys default', python(order, { sort: true })],
  ['python: indent=2', python(order, { indent: 2 })],
  ['python: str(dict)', lib.pythonStr(order)],
  ['python: quote', lib.quote(sent)],
  ['python: quote_plus', lib.quotePlus(sent)],
  ['go: json.Marshal of a map', lib.go(lib.sorted(order))],
  ['go: json.MarshalIndent of a map', lib.go(lib.sorted(order), lib.indented(2))],
  ['shell: jq .', `${json(order, lib.indented(2))}\n`],
] as const)('%s is imitated to the byte', (call, text) => {
  expect(text).toBe(recorded.get(call)?.toString());
});

test.each(cases)(
  '$name: is explained by IDs that lead to its signature, and each ID is necessary',
  (given) => {
    const ids = idsOf(given) ?? [];
    expect(ids.length > 0).toBe(!given.name.startsWith('three'));
    expect(ids.length === 0 || leadsToSignature(given, ids)).toBe(true);
    for (const index of ids.keys()) expect(leadsToSignature(given, ids.toSpliced(index, 1))).toBe(false);
  },
);
