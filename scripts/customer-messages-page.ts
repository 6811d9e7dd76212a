import { readFile } from 'node:fs/promises';
import { customerTexts } from '../src/orders/customer-texts.js';
import { formatted } from './formatted.js';

const path = 'docs/customer-messages.md';
const markers = [
  '<!-- customerTexts: npm run generate -- customer-texts -->',
  '<!-- end of customerTexts -->',
];

/** The guide to the messages for customers. Its table is made from the sentences of `customerText`. */
export async function customerMessagesPage(): Promise<string> {
  const page = await readFile(path, 'utf8');
  const [before, after] = [page.split(markers[0] ?? '')[0], page.split(markers[1] ?? '')[1]];
  if (after === undefined) throw new Error(`${path} has lost its markers`);
  const table = [
    '| situation | English | Vietnamese |',
    '| --- | --- | --- |',
    ...Object.values(customerTexts).map(({ situation, en, vi }) => `| ${situation} | ${en} | ${vi} |`),
  ];
  const written = [before, markers[0], '\n\n', table.join('\n'), '\n\n', markers[1], after].join('');
  return formatted(path, written);
}
