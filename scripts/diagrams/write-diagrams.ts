import { writeFile } from 'node:fs/promises';
import { diagrams } from './diagrams.js';
import { sequenceDiagram } from './sequence-diagram.js';

for (const [file, diagram] of Object.entries(diagrams))
  await writeFile(`docs/diagrams/${file}`, sequenceDiagram(diagram));
