import type { Logger, ObserverOptions } from '../http/observer.js';
import { listed } from '../values/texts.js';
import { fromEnvironment } from './environment.js';

const loggedLevels = ['debug', 'info', 'warn', 'error'] as const;

function writerOf(level: string) {
  return (message: string, record: object) => {
    const at = new Date().toISOString();
    console.error(`${at} installment-payments ${level}: ${message} ${JSON.stringify(record)}`);
  };
}

/** Writes each record as one line to standard error. */
const standardError: Logger = {
  debug: writerOf('debug'),
  info: writerOf('info'),
  warn: writerOf('warn'),
  error: writerOf('error'),
};

/** The options with a logger: the given logger, or standard error if `INSTALLMENT_LOG` names a level. */
export function loggingWith<T extends Pick<ObserverOptions, 'logger' | 'logLevel'>>(given: T): T {
  const variable = given.logger === undefined ? fromEnvironment('INSTALLMENT_LOG') : undefined;
  if (variable === undefined) return given;
  const level = loggedLevels.find((name) => name === variable.toLowerCase());
  // An invalid INSTALLMENT_LOG is not an error: a shop must be able to start.
  if (!level) console.error(`INSTALLMENT_LOG must be ${listed(loggedLevels)}: nothing is logged`);
  return level ? { ...given, logger: standardError, logLevel: given.logLevel ?? level } : given;
}
