/** What a command touches of the process it runs in. */
export interface CliIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where SIGINT and SIGTERM arrive. */
  readonly signals: Pick<NodeJS.EventEmitter, 'once' | 'off'>;
  out(line: string): void;
  error(line: string): void;
}

/** The command was given something that it cannot work with: one clear line, and exit code 1. */
export class CliError extends Error {
  override readonly name = 'CliError';
}

/** The code of a system error, as in `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Text with every character that a terminal would act on made visible; line breaks and tabs may stay. */
export function visible(text: string, kept = ''): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    kept.includes(character) ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
