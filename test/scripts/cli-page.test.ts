import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { demoCommand } from '../../src/workbench/cli/demo.js';
import { explainCommand } from '../../src/workbench/cli/explain.js';
import { mockCommand } from '../../src/workbench/cli/mock.js';
import { probeCommand } from '../../src/workbench/cli/probe.js';
import { rehearseCommand } from '../../src/workbench/cli/rehearse.js';
import { schemaCommand } from '../../src/workbench/cli/schema.js';

const all = [demoCommand, mockCommand, explainCommand, rehearseCommand, probeCommand, schemaCommand];
const page = readFileSync('docs/cli.md', 'utf8');

test.each(all.flatMap((command) => [command, ...(command.commands ?? [])]))(
  'the page of the command line has each option of $name',
  ({ name, options }) => {
    const [, section = ''] = new RegExp(`^#+ ${name}\\n([^]*?)(?=^#|(?![^]))`, 'm').exec(page) ?? [];
    const shown = [...section.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, option]) => option);

    expect(section).not.toBe('');
    expect(shown).toEqual(Object.keys(options));
  },
);
