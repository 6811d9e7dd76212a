import { Observer, type Logger } from '../http/observer.js';
import { readProperty } from '../values/untrusted-values.js';

/**
 * Writes a message to the shop's log, with identifiers, and with the name and code of an error. The text of the error
 * is not written, because it can contain customer data.
 */
export type Report = (
  level: 'warn' | 'error',
  message: string,
  ids: { readonly orderId?: string | undefined; readonly key?: string },
  error?: unknown,
) => void;

/** A name or code that cannot contain customer data. */
function safeIdentifier(value: unknown): string | undefined {
  return typeof value === 'string' && /^\w{1,60}$/.test(value) ? value : undefined;
}

export function reportTo(logger: Logger | undefined): Report {
  const observer = new Observer({ logger });
  return (level, message, ids, error) => {
    const [name, code] = ['name', 'code'].map((property) => safeIdentifier(readProperty(error, property)));
    observer.log(level, `installment-payments: ${message}`, { ...ids, error: name, code });
  };
}
