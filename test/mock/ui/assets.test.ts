import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { buildUi, generatedFile } from '../../../scripts/build-ui.js';

it('the styles and scripts that the pages load are built from their sources', async () => {
  const committed = await readFile(generatedFile, 'utf8');
  const isBuilt = committed === (await buildUi());
  expect(isBuilt, 'src/mock/ui/assets/generated.ts is out of date: run `npm run build:ui`').toBe(true);
});
