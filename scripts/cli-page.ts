import { Readable } from 'node:stream';
import { runCommandLine } from '../src/workbench/cli/run.js';
import type { CliIo } from '../src/workbench/cli/io.js';

/** The output of a command line. */
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

/** A help text without its examples, which are in the guides. */
function withoutExamples(help: string): string {
  const [usage, summary, options, ...notes] = help.split('\n\n');
  const isExample = (note: string) =>
    note.endsWith(':') || note.split('\n').every((line) => line.startsWith('  '));
  return [usage, summary, options, ...notes.filter((note) => !isExample(note))].join('\n\n');
}

/** The reference of the command line, made from the help texts. `npm run generate -- cli` writes it. */
export async function cliPage(): Promise<string> {
  const overview = await outputOf('--help');
  const names = [...overview.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name = '']) => name);
  const sections = names.map(
    async (name) => `## ${name}\n\n\`\`\`text\n${withoutExamples(await outputOf(name, '--help'))}\n\`\`\`\n`,
  );
  return [
    '# Command line\n',
    'Run a command with `npx installment-payments COMMAND`. `--help` also has examples.\n',
    ...(await Promise.all(sections)),
  ].join('\n');
}
