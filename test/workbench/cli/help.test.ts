import { expect, test } from 'vitest';
import { version } from '../../../src/version.js';
import { runOnce } from './support.js';

// The texts are in files, so that reviewers see each change. `npx vitest run test/workbench/cli/help -u` writes them.
const explain = ['payment', 'invoice', 'signature', 'notification'].map((kind) => `explain ${kind}`);

test.each(['overview', 'demo', 'mock', 'explain', ...explain, 'rehearse', 'probe', 'schema'])(
  'the help of %s equals its reviewed file, and no line has more than 100 columns',
  async (name) => {
    const { code, out, error } = await runOnce([...(name === 'overview' ? [] : name.split(' ')), '--help']);

    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out.split('\n').filter((line) => line.length > 100)).toEqual([]);
    const file = `help/${name.replace(' ', '-')}.txt`;
    await expect(`${out.replace(version, 'VERSION')}\n`).toMatchFileSnapshot(file);
  },
);
