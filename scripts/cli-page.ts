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

/** The first line of an example: a command that a reader can paste. */
const command = /^ {2}(installment-payments|curl|export|Invoke-RestMethod|\$env:)/;

/** A help text without its examples: the guides have them. The lists of options stay. */
function withoutExamples(help: string): string {
  const paragraphs = help.split('\n\n');
  const isExample = (index: number) => command.test(paragraphs[index] ?? '');
  const introducesExample = (index: number) =>
    paragraphs[index]?.endsWith(':') === true && isExample(index + 1);
  const isAboutExamples = (index: number) => paragraphs[index]?.startsWith('In PowerShell, write') === true;
  const isKept = (_: string, index: number) =>
    !isExample(index) && !introducesExample(index) && !isAboutExamples(index);
  return paragraphs.filter(isKept).join('\n\n');
}

/** Names of commands in the overview, or of kinds in the help of their command. */
const namesIn = (help: string, pattern: RegExp) => [...help.matchAll(pattern)].map(([, name = '']) => name);

/** The section of a command, and of each of its kinds. */
async function sectionsOf(name: string, heading = '##'): Promise<string> {
  const help = await outputOf(...name.split(' '), '--help');
  const kinds = namesIn(help, new RegExp(`^ {2}(${name} [a-z]+) {2,}`, 'gm'));
  const section = `${heading} ${name}\n\n\`\`\`text\n${withoutExamples(help)}\n\`\`\`\n`;
  return [section, ...(await Promise.all(kinds.map((kind) => sectionsOf(kind, '###'))))].join('\n');
}

/** The reference of the command line, made from the help texts. `npm run generate -- cli` writes it. */
export async function cliPage(): Promise<string> {
  const names = namesIn(await outputOf('--help'), /^ {2}([a-z]+) {2,}/gm);
  return [
    '# Command line\n',
    'Run a command with `npx installment-payments COMMAND`. `--help` also has examples.\n',
    ...(await Promise.all(names.map((name) => sectionsOf(name)))),
  ].join('\n');
}
