import { expect, test } from 'vitest';
import { version } from '../../../src/version.js';
import { runOnce } from './support.js';

// The texts stand in files, so that a change shows in review. `npx vitest run test/workbench/cli/help -u` writes them.
test.each([['overview'], ['demo'], ['mock'], ['explain'], ['rehearse'], ['probe'], ['schema']])(
  'the help of %s is as reviewed',
  async (name) => {
    const { code, out, error } = await runOnce([...(name === 'overview' ? [] : [name]), '--help']);

    expect({ code, error }).toEqual({ code: 0, error: '' });
    await expect(`${out.replace(version, 'VERSION')}\n`).toMatchFileSnapshot(`help/${name}.txt`);
  },
);
