import { version } from '../../version.js';
import { didYouMean } from '../../values/nearest-word.js';
import { helpOf, overview, type Command } from './command.js';
import { explain } from './explain.js';
import { codeOf } from '../../values/reason-of.js';
import { CliError, type CliIo } from './io.js';
import { printable } from '../../values/texts.js';
import { mock } from './mock.js';
import { probeCommand } from './probe.js';
import { rehearse } from './rehearse.js';
import { schema } from './schema.js';

/** In the order of the help. */
const commands: readonly Command[] = [mock, explain, rehearse, probeCommand, schema];

/** Runs a command line. @returns the exit code */
export async function run(args: readonly string[], io: CliIo): Promise<number> {
  const [name = '', ...rest] = args;
  const command = commands.find((each) => each.name === name);
  // Everything after `--` belongs to another program.
  const own = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  const wantsHelp = [name, ...own].some((word) => word === '--help' || word === '-h');
  if (wantsHelp) {
    io.out(command ? helpOf(command) : overview(commands, version));
    return 0;
  }
  if (name === '--version' || name === '-v') {
    io.out(version);
    return 0;
  }
  try {
    if (command) return await command.run(rest, io);
    throw new CliError(unknownCommand(name));
  } catch (error) {
    const problem = problemOf(error, command);
    if (problem === undefined) throw error;
    const help = ['installment-payments', command?.name, '--help'].filter(Boolean).join(' ');
    io.error(`${problem}${problem.endsWith('?') ? '' : '.'} See ${help}.`);
    return command?.misuseCode ?? 1;
  }
}

function unknownCommand(name: string): string {
  const names = commands.map((each) => each.name);
  const list = `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;
  if (name === '') return `A command is missing: ${list}`;
  return `Unknown command '${printable(name)}'${didYouMean(name, names) || `: the commands are ${list}`}`;
}

/** The problem of a command line, in one line without its full stop; undefined for any other error. */
function problemOf(error: unknown, command: Command | undefined): string | undefined {
  if (error instanceof CliError) return error.message;
  const code = codeOf(error);
  if (!(error instanceof Error) || !code?.startsWith('ERR_PARSE_ARGS')) return undefined;
  const written = /^Unknown option '([^']*)'/.exec(error.message)?.[1];
  if (written !== undefined && command) {
    const meant = didYouMean(written.replace(/^-+/, ''), Object.keys(command.options), '--');
    return printable(`Unknown option '${written}'${meant}`);
  }
  // The rest of Node's message explains escaping.
  const [line = ''] = error.message.split(/\. To specify|\n/);
  return printable(line.replace(/\.$/, ''));
}
