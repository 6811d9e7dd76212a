/** The text of a customer, which every driver below puts into its error in its own way. */
export const secret = 'Lan, 0912345678';
const sql = `UPDATE installment_orders SET data = '${secret}'`;

/** An error of the class with this name and these properties. */
export function errorNamed(name: string, message: string, properties: object = {}): Error {
  const error = Object.assign(new Error(message), properties);
  Object.defineProperty(error, 'name', { value: name, enumerable: name !== 'Error' });
  return error;
}

export const pg = (code: string) =>
  errorNamed('error', `could not serialize ${secret}`, {
    code,
    detail: secret,
    where: sql,
    severity: 'ERROR',
  });
export const mysql = (errno: number, code: string, sqlState: string) =>
  errorNamed('Error', `refused: ${secret}`, { errno, code, sqlState, sqlMessage: secret, sql });

/** The errors of the drivers and ORMs of the guide, for a deadlock or a busy database. */
export const conflicts: Record<string, [error: Error, driver: object]> = {
  pg: [pg('40P01'), { name: 'error', sqlState: '40P01' }],
  'postgres.js': [
    errorNamed('PostgresError', secret, { code: '40001', query: sql, parameters: [secret] }),
    { name: 'PostgresError', sqlState: '40001' },
  ],
  mysql2: [
    mysql(1213, 'ER_LOCK_DEADLOCK', '40001'),
    { name: 'Error', code: 'ER_LOCK_DEADLOCK', errno: 1213, sqlState: '40001' },
  ],
  'mysql2, a wait for a lock': [
    mysql(1205, 'ER_LOCK_WAIT_TIMEOUT', 'HY000'),
    { name: 'Error', code: 'ER_LOCK_WAIT_TIMEOUT', errno: 1205, sqlState: 'HY000' },
  ],
  'better-sqlite3': [
    errorNamed('SqliteError', secret, { code: 'SQLITE_BUSY_SNAPSHOT' }),
    { name: 'SqliteError', code: 'SQLITE_BUSY_SNAPSHOT' },
  ],
  'node:sqlite': [
    errorNamed('Error', secret, { code: 'ERR_SQLITE_ERROR', errcode: 262, errstr: secret }),
    { name: 'Error', code: 'ERR_SQLITE_ERROR', errno: 262 },
  ],
  Knex: [errorNamed('error', `${sql} - deadlock`, { code: '40P01' }), { name: 'error', sqlState: '40P01' }],
  Drizzle: [
    Object.assign(new Error(`Failed query: ${sql}\nparams: ${secret}`, { cause: pg('40001') }), {
      query: sql,
      params: [secret],
    }),
    { name: 'error', sqlState: '40001' },
  ],
  TypeORM: [
    errorNamed('QueryFailedError', secret, { query: sql, parameters: [secret], driverError: pg('40001') }),
    { name: 'error', sqlState: '40001' },
  ],
  Prisma: [
    errorNamed('PrismaClientKnownRequestError', secret, { code: 'P2034', meta: { message: secret } }),
    { name: 'PrismaClientKnownRequestError', code: 'P2034' },
  ],
  'Prisma over a driver adapter': [
    errorNamed('PrismaClientKnownRequestError', secret, {
      code: 'P2010',
      meta: {
        driverAdapterError: errorNamed('DriverAdapterError', secret, { cause: { originalCode: '40001' } }),
      },
    }),
    { name: 'DriverAdapterError', sqlState: '40001' },
  ],
};
