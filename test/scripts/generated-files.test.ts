import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generatedFiles } from '../../scripts/generated-files.js';

test.each(Object.entries(generatedFiles))(
  'the committed files of npm run generate -- %s are as it writes them',
  async (name, files) => {
    for (const [path, write] of Object.entries(files)) {
      const isUpToDate = readFileSync(path, 'utf8') === (await write());
      expect(isUpToDate, `${path} is out of date: npm run generate -- ${name}`).toBe(true);
    }
  },
);
