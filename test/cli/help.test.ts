import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { run } from '../../src/cli/run.js';
import { version } from '../../src/version.js';

// The texts stand in files, so that a change shows in review. `npx vitest run test/cli/help -u` writes them.
test.each([['overview'], ['mock'], ['explain'], ['rehearse']])(
  'the help of %s is as reviewed',
  async (name) => {
    const lines: string[] = [];
    const code = await run([...(name === 'overview' ? [] : [name]), '--help'], {
      env: {},
      signals: new EventEmitter(),
      input: Readable.from([]),
      inputIsPipe: false,
      out: (line) => lines.push(line),
      error: (line) => lines.push(`error: ${line}`),
    });

    expect(code).toBe(0);
    await expect(`${lines.join('\n').replace(version, 'VERSION')}\n`).toMatchFileSnapshot(`help/${name}.txt`);
  },
);
