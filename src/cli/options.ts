import { CliError } from './io.js';

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
  throw new CliError(`--${option} must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);
}
