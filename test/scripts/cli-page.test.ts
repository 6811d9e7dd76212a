import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = readFileSync('docs/cli.md', 'utf8').split('\n');
const folder = 'test/workbench/cli/help';

test.each(readdirSync(folder).filter((file) => file !== 'overview.txt'))(
  'the page of the command line has every option of %s',
  (file) => {
    const help = readFileSync(`${folder}/${file}`, 'utf8').split('\n');
    const options = help.filter((line) => /^ {2}--/.test(line));

    expect(page).toEqual(expect.arrayContaining(options));
  },
);
