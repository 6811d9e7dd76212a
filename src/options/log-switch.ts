import * as z from 'zod';
import { ConfigurationError } from '../errors/errors.js';
import type { Logger, LogLevel } from '../http/observer.js';

const rule = "must be 'debug', 'info', 'warn', 'error' or 'silent'";

/** The rule for a level of the log. */
export const logLevel = z.enum(['debug', 'info', 'warn', 'error', 'silent'], rule);

/** The variable of the environment that switches a log on. */
export const logSwitchVariable = 'INSTALLMENT_LOG';

/** Writes to standard error, apart from a program's own output. */
function lineLogger(level: string): Logger['debug'] {
  return (message, record) => {
    console.error(`installment-payments ${level}: ${message} ${JSON.stringify(record)}`);
  };
}

const standardError: Logger = {
  debug: lineLogger('debug'),
  info: lineLogger('info'),
  warn: lineLogger('warn'),
  error: lineLogger('error'),
};

/** The options for a value of the variable. */
export function logSwitch(level: string | undefined): { logger?: Logger; logLevel?: LogLevel } {
  if (level === undefined) return {};
  const parsed = logLevel.safeParse(level);
  if (!parsed.success) throw new ConfigurationError(logSwitchVariable, rule);
  return { logger: standardError, logLevel: parsed.data };
}
