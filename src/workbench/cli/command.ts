import { listed } from '../../values/texts.js';
import { CliError, type CliIo } from './io.js';

/** An option as `parseArgs` of Node takes it, with its words for the help. */
export interface CommandOption {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly default?: string | boolean;
  /** Stands for its value in the help, such as `N`. */
  readonly value?: string;
  readonly help: string;
}

/** Options of a command as `parseArgs` of Node takes them, with words for the help. */
export const text = (value: string, help: string) => ({ type: 'string', value, help }) as const;
export const texts = (value: string, help: string) => ({ ...text(value, help), multiple: true }) as const;
export const textOr = (preset: string, value: string, help: string) =>
  ({ ...text(value, help), default: preset }) as const;
export const flag = (help: string) => ({ type: 'boolean', default: false, help }) as const;

export function wholeNumber(option: string, given: string, least: number, most: number): number {
  const value = /^\d{1,9}$/.test(given) ? Number(given) : -1;
  if (value >= least && value <= most) return value;
  throw new CliError(`--${option} must be a whole number from ${least} to ${most}`);
}

export function oneOf<Word extends string>(option: string, given: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === given);
  if (found !== undefined) return found;
  throw new CliError(`--${option} must be ${listed(words)}`);
}

/** A command of the command line. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Command lines without the name of the program. */
  readonly usage: readonly string[];
  readonly options: Readonly<Record<string, CommandOption>>;
  /** Exit code for wrong usage. @default 1 */
  readonly misuseCode?: number;
  /** The rest of its help: examples, exit codes. */
  readonly notes: string;
  /** @returns the exit code */
  run(args: readonly string[], io: CliIo): Promise<number>;
}

const program = 'installment-payments';
const helpWidth = 100;

/** Lines of at most this many characters. */
function wrapped(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

/** Names and their words in two columns. */
function columns(rows: readonly (readonly [name: string, words: string])[]): string {
  const start = Math.max(...rows.map(([name]) => name.length)) + 4;
  return rows
    .map(
      ([name, words]) =>
        `  ${name}`.padEnd(start) + wrapped(words, helpWidth - start).join(`\n${' '.repeat(start)}`),
    )
    .join('\n');
}

/** The help of the whole program. */
export function overview(commands: readonly Command[], version: string): string {
  return `${program} ${version}

Usage: ${program} COMMAND [OPTIONS]

${columns(commands.map(({ name, summary }) => [name, summary]))}

${columns([
  [`${program} COMMAND --help`, 'the options of a command, with examples'],
  [`${program} --version`, 'the version'],
])}`;
}

/** The help of one command. */
export function helpOf({ usage, summary, options, notes }: Command): string {
  const rows = Object.entries(options).map(([name, { value, help, default: preset, multiple }]) => {
    const details = [multiple && 'may be repeated', typeof preset === 'string' && `default ${preset}`];
    const shown = details.filter((detail) => typeof detail === 'string').join(', ');
    return [
      `--${name}${value === undefined ? '' : ` ${value}`}`,
      shown ? `${help} (${shown})` : help,
    ] as const;
  });
  const lines = usage.map((line, index) => `${index === 0 ? 'Usage:' : '      '} ${program} ${line}`);
  return `${lines.join('\n')}\n\n${summary}.\n\n${columns(rows)}\n\n${notes}`;
}
