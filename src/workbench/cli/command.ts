import { listed } from '../../values/texts.js';
import { CliError, type CliIo } from './io.js';

/** An option as `parseArgs` of Node accepts it, with its text for the help. */
export interface CommandOption {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly default?: string | boolean;
  /** The placeholder of its value in the help, such as `N`. */
  readonly value?: string;
  readonly help: string;
}

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

type CommandOptions = Readonly<Record<string, CommandOption>>;

/** A command of the command line. */
export interface Command {
  /** The name on the command line, such as `mock` or `explain payment`. */
  readonly name: string;
  /** The description in the list of commands: one line. */
  readonly summary: string;
  /** The usage lines of the help, without the name of the program. */
  readonly usage: readonly string[];
  readonly options: CommandOptions;
  /** The same options by heading, if the help shows them in groups. */
  readonly groups?: Readonly<Record<string, CommandOptions>>;
  /** The kinds of this command, each with its own options. The argument after the name selects a kind. */
  readonly commands?: readonly Command[];
  /** The exit code for wrong usage. @default 1 */
  readonly misuseCode?: number;
  /** The rest of the help: examples and exit codes. Paragraphs are wrapped; indented lines stay unchanged. */
  readonly notes: string;
  /** @returns the exit code */
  run(args: readonly string[], io: CliIo): Promise<number>;
}

const program = 'installment-payments';
const helpWidth = 100;

/** Splits a text into lines of at most this many characters. */
function wrapped(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

/** Writes names and their descriptions in two columns. */
function columns(rows: readonly (readonly [name: string, description: string])[]): string {
  const start = Math.max(...rows.map(([name]) => name.length)) + 4;
  return rows
    .map(
      ([name, description]) =>
        `  ${name}`.padEnd(start) + wrapped(description, helpWidth - start).join(`\n${' '.repeat(start)}`),
    )
    .join('\n');
}

/** Writes the help of the whole program. */
export function overview(commands: readonly Command[], version: string): string {
  return `${program} ${version}

Usage: ${program} COMMAND [OPTIONS]

${columns(commands.map(({ name, summary }) => [name, summary]))}

${columns([
  [`${program} COMMAND --help`, 'the options of a command, with examples'],
  [`${program} --version`, 'the version'],
])}`;
}

/** Writes the help of one command. */
export function helpOf({ name, usage, summary, options, groups, commands = [], notes }: Command): string {
  const lines = usage.map((line, index) => `${index === 0 ? 'Usage:' : '      '} ${program} ${line}`);
  const kinds = commands.map((each) => [each.name, each.summary] as const);
  const kindHelp = [`${program} ${name} KIND --help`, 'the options of a kind, with examples'] as const;
  return [
    lines.join('\n'),
    `${summary}.`,
    ...(groups
      ? Object.entries(groups).map(([heading, some]) => `${heading}:\n\n${columns(optionRows(some))}`)
      : Object.keys(options).length > 0
        ? [columns(optionRows(options))]
        : []),
    ...(kinds.length > 0 ? [columns(kinds), columns([kindHelp])] : []),
    ...(notes === '' ? [] : [wrappedParagraphs(notes)]),
  ].join('\n\n');
}

function optionRows(options: CommandOptions) {
  return Object.entries(options).map(([name, { value, help, default: preset, multiple }]) => {
    const details = [multiple && 'may be repeated', typeof preset === 'string' && `default ${preset}`];
    const shown = details.filter((detail) => typeof detail === 'string').join(', ');
    return [
      `--${name}${value === undefined ? '' : ` ${value}`}`,
      shown ? `${help} (${shown})` : help,
    ] as const;
  });
}

/** Wraps the paragraphs of a text. Paragraphs with an indented line are examples, and stay unchanged. */
function wrappedParagraphs(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) =>
      /^ /m.test(paragraph) ? paragraph : wrapped(paragraph.replaceAll('\n', ' '), helpWidth).join('\n'),
    )
    .join('\n\n');
}
