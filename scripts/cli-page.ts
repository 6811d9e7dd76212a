import { Readable } from 'node:stream';
import { runCommandLine } from '../src/workbench/cli/run.js';
import type { CliIo } from '../src/workbench/cli/io.js';

/** What a command line prints. */
async function outputOf(...args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  const io: CliIo = {
    env: {},
    signals: process,
    input: Readable.from([]),
    inputIsPipe: false,
    parentId: () => process.ppid,
    out: (line) => lines.push(line),
    error: (line) => lines.push(line),
  };
  await runCommandLine(args, io);
  return lines.join('\n');
}

/** A help text without its examples and the note on them: the guides have them. Lists of options, of kinds and of cases stay. */
function withoutExamples(help: string): string {
  const blocks = help.split('\n\n').filter((block) => !block.startsWith('In PowerShell, a line'));
  const isExample = (block = '') => block.startsWith('  ') && !/^ {2}(?:-|explain )/.test(block);
  return blocks
    .filter((block, index) => !isExample(block) && !(block.endsWith(':') && isExample(blocks[index + 1])))
    .join('\n\n');
}

/** The names in a list of commands. */
const namesIn = (help: string, prefix = '') =>
  [...help.matchAll(new RegExp(`^ {2}${prefix}([a-z]+) {2,}`, 'gm'))].map(([, name = '']) => name);

/** The section of a command, and those of its kinds. */
async function section(command: readonly string[], heading: string): Promise<string> {
  const help = await outputOf(...command, '--help');
  const kinds = namesIn(help, `${command.join(' ')} `).map((kind) =>
    section([...command, kind], `#${heading}`),
  );
  const text = `${heading} ${command.join(' ')}\n\n\`\`\`text\n${withoutExamples(help)}\n\`\`\`\n`;
  return [text, ...(await Promise.all(kinds))].join('\n');
}

/** The reference of the command line, made of the help texts. `npm run generate -- cli` writes it. */
export async function cliPage(): Promise<string> {
  const names = namesIn(await outputOf('--help'));
  return [
    '# Command line\n',
    'Every command with its options. Run one with `npx installment-payments COMMAND`. `--help` also has examples.\n',
    ...(await Promise.all(names.map((name) => section([name], '##')))),
  ].join('\n');
}
