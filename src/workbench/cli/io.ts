import type { Readable } from 'node:stream';
import { codeOf } from '../../values/reason-of.js';
import { printable } from '../../values/texts.js';

/** The parts of its process that a command uses. */
export interface CliIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The source of SIGINT and SIGTERM events. */
  readonly signals: Pick<NodeJS.EventEmitter, 'on' | 'off'>;
  /** Standard input. */
  readonly input: Readable;
  /** True if standard input is a pipe, whose end shows that the parent process has ended. */
  readonly inputIsPipe: boolean;
  /** The process ID of the parent. It changes once the parent has ended. */
  parentId(): number;
  out(line: string): void;
  error(line: string): void;
}

/** Calls `stop` at each SIGINT or SIGTERM. @returns a function that stops listening */
export function onEndSignal(signals: CliIo['signals'], stop: () => void): () => void {
  const names = ['SIGINT', 'SIGTERM'];
  for (const name of names) signals.on(name, stop);
  return () => names.forEach((name) => signals.off(name, stop));
}

/** The error for wrong usage. The command prints its message on the error stream, and returns `misuseCode`. */
export class CliError extends Error {}

/** The error for a file that cannot be read or written, with the code of the system's error. */
export function fileError(problem: string, file: string, error: unknown): CliError {
  return new CliError(`${problem} ${printable(file)} (${codeOf(error) ?? 'unknown'})`);
}
