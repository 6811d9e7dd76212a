import { parseArgs } from 'node:util';
import { ConfigurationError } from '../../errors/errors.js';
import { dialectNames, type Dialect } from '../../orders/dialects.js';
import { orderSchema } from '../../orders/order-schema.js';
import { text, type Command } from './command.js';
import { CliError, type CliIo } from './io.js';
import { listed, printable } from '../../values/texts.js';

const schemaOptions = {
  table: text(
    'NAME',
    'The name of the table, with its schema if necessary. The default is installment_orders',
  ),
} satisfies Command['options'];

const schemaNotes = `DIALECT is postgres, mysql (also for MariaDB) or sqlite. Running the statements again changes nothing.

Examples:

  installment-payments schema postgres | psql "$DATABASE_URL"
  installment-payments schema mysql --table shop.payments > migrations/0007_payments.sql

In PowerShell:

  installment-payments schema postgres | psql $env:DATABASE_URL
  installment-payments schema mysql | Set-Content migrations/0007_payments.sql

Exit code: 0, or 1 for wrong usage.`;

function dialectOf(given: string | undefined): Dialect {
  const found = dialectNames.find((name) => name === given);
  if (found !== undefined) return found;
  const list = listed(dialectNames);
  throw new CliError(
    given === undefined
      ? `The dialect is missing: ${list}`
      : `Unknown dialect '${printable(given)}': the dialect must be ${list}. For MariaDB, use mysql`,
  );
}

function runSchema(args: readonly string[], io: CliIo): number {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: schemaOptions,
    allowPositionals: true,
  });
  const [given, ...others] = positionals;
  const dialect = dialectOf(given);
  if (others.length > 0) throw new CliError('schema accepts one DIALECT');
  try {
    for (const statement of orderSchema(dialect, values)) io.out(`${statement};`);
  } catch (error) {
    throw error instanceof ConfigurationError ? new CliError(`--${error.message}`) : error;
  }
  return 0;
}

export const schemaCommand: Command = {
  name: 'schema',
  summary: 'Prints the CREATE statements of the table of orders',
  usage: ['schema DIALECT [--table NAME]'],
  options: schemaOptions,
  notes: schemaNotes,
  run: (args, io) => Promise.resolve().then(() => runSchema(args, io)),
};
