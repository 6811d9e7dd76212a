import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { diagrams } from '../../scripts/diagrams/diagrams.js';
import { sequenceDiagram } from '../../scripts/diagrams/sequence-diagram.js';

test('the pictures of the guides are drawn from their source (npm run diagrams)', () => {
  expect(readdirSync('docs/diagrams').sort()).toEqual(Object.keys(diagrams).sort());
  for (const [file, diagram] of Object.entries(diagrams))
    expect(readFileSync(`docs/diagrams/${file}`, 'utf8')).toBe(sequenceDiagram(diagram));
});
