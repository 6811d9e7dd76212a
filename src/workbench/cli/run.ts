import { version } from '../../version.js';
import { didYouMean } from '../../values/nearest-word.js';
import { helpOf, overview, type Command } from './command.js';
import { demoCommand } from './demo.js';
import { explainCommand } from './explain.js';
import { codeOf } from '../../values/reason-of.js';
import { CliError, type CliIo } from './io.js';
import { printable } from '../../values/texts.js';
import { mockCommand } from './mock.js';
import { probeCommand } from './probe.js';
import { rehearseCommand } from './rehearse.js';
import { schemaCommand } from './schema.js';

/** The commands in the order of the help. */
const commands: readonly Command[] = [
  demoCommand,
  mockCommand,
  explainCommand,
  rehearseCommand,
  probeCommand,
  schemaCommand,
];

/** Runs a command line. @returns the exit code */
export async function runCommandLine(args: readonly string[], io: CliIo): Promise<number> {
  const [name = '', kind = ''] = args;
  const named = commands.find((each) => each.name === name);
  const ofKind = named?.commands?.find((each) => each.name === `${name} ${kind}`);
  const command = ofKind ?? named;
  const rest = args.slice(ofKind ? 2 : 1);
  // Everything after `--` belongs to the merchant's command.
  const ownArgs = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  if ([name, ...ownArgs].some((arg) => arg === '--help' || arg === '-h')) {
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

/** Describes wrong usage in one line, without a final period; undefined for any other error. */
function problemOf(error: unknown, command: Command | undefined): string | undefined {
  if (error instanceof CliError) return error.message;
  const code = codeOf(error);
  if (!(error instanceof Error) || !code?.startsWith('ERR_PARSE_ARGS')) return undefined;
  const written = /^Unknown option '([^']*)'/.exec(error.message)?.[1];
  if (written !== undefined && command) return printable(unknownOption(written, command));
  // The rest of Node's message explains how to escape the argument, and is left out.
  const [line = ''] = error.message.split(/\. To specify|\n/);
  return printable(line.replace(/\.$/, ''));
}

/** Says which option was probably meant, or which command has this option. */
function unknownOption(written: string, { options }: Command): string {
  const name = written.replace(/^-+/, '');
  const owners = commands
    .flatMap((command) => command.commands ?? command)
    .filter((command) => Object.hasOwn(command.options, name))
    .map((command) => command.name);
  const owner = owners.length === 0 ? '' : `, which belongs to ${owners.join(' and ')}`;
  return `Unknown option '${written}'${didYouMean(name, Object.keys(options), '--') || owner}`;
}
