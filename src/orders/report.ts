import { Observer, type Logger } from '../http/observer.js';
import { readProperty } from '../values/untrusted-values.js';

/**
 * Writes to the merchant's log: identifiers, and the name and code of an error, but not its message, which can contain
 * customer data.
 */
export type Report = (
  level: 'warn' | 'error',
  message: string,
  ids: { readonly orderId?: string | undefined; readonly key?: string },
  error?: unknown,
) => void;

function shortWord(value: unknown): string | undefined {
  return typeof value === 'string' && /^\w{1,60}$/.test(value) ? value : undefined;
}

export function reportTo(logger: Logger | undefined): Report {
  const observer = new Observer({ logger });
  return (level, message, ids, error) => {
    const [name, code] = ['name', 'code'].map((property) => shortWord(readProperty(error, property)));
    observer.log(level, `installment-payments: ${message}`, { ...ids, error: name, code });
  };
}
