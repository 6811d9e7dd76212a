import type { Logger, ObserverOptions } from '../http/observer.js';
import { listed } from '../values/texts.js';
import { fromEnvironment } from './environment.js';

const words = ['debug', 'info', 'warn', 'error'] as const;

function writing(level: string) {
  return (message: string, record: object) => {
    const at = new Date().toISOString();
    console.error(`${at} installment-payments ${level}: ${message} ${JSON.stringify(record)}`);
  };
}

/** Writes each record as one line to standard error. */
const standardError: Logger = {
  debug: writing('debug'),
  info: writing('info'),
  warn: writing('warn'),
  error: writing('error'),
};

/** The given logger and level. If there is no logger, `INSTALLMENT_LOG` turns on the log to standard error. */
export function loggingWith<T extends Pick<ObserverOptions, 'logger' | 'logLevel'>>(given: T): T {
  const written = given.logger === undefined ? fromEnvironment('INSTALLMENT_LOG') : undefined;
  if (written === undefined) return given;
  const level = words.find((word) => word === written.toLowerCase());
  // A wrong logging variable must not keep a shop from starting.
  if (!level) console.error(`INSTALLMENT_LOG must be ${listed(words)}: nothing is logged`);
  return level ? { ...given, logger: standardError, logLevel: given.logLevel ?? level } : given;
}
