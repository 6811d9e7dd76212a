import { describe, expect, test } from 'vitest';
import { orderSchema } from '../../../src/entries/orders.js';
import { runOnce } from './support.js';

describe('schema', () => {
  test.each(['postgres', 'mysql', 'sqlite'] as const)(
    'prints the statements of orderSchema for %s, each with a semicolon, so that a migration can run them',
    async (dialect) => {
      const { code, out, error } = await runOnce(['schema', dialect, '--table', 'shop.payments']);
      expect({ code, error }).toEqual({ code: 0, error: '' });
      const statements = orderSchema(dialect, { table: 'shop.payments' });
      expect(out).toBe(statements.map((statement) => `${statement};`).join('\n'));
      expect(out).toContain('CREATE TABLE IF NOT EXISTS shop.payments (');
    },
  );

  test.each([
    [
      ['oracle'],
      "Unknown dialect 'oracle': the dialect must be 'postgres', 'mysql' or 'sqlite'. For MariaDB, use mysql.",
    ],
    [[], "The dialect is missing: 'postgres', 'mysql' or 'sqlite'."],
    [['mysql', 'sqlite'], 'schema accepts one DIALECT.'],
    [['mysql', '--table', 'a b'], '--table must contain only letters, digits and underscores'],
  ])('refuses %j as wrong usage', async (args, message) => {
    const { code, out, error } = await runOnce(['schema', ...args]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toContain(message);
    expect(error).toContain('See installment-payments schema --help.');
  });
});
