import { describe, expect, test } from 'vitest';
import { createOrderPayments, orderSchema } from '../../src/entries/orders.js';
import { shop } from './support.js';

describe('orderSchema', () => {
  test('returns the statements of payments.schema without a client, for a migration', () => {
    const { client } = shop();
    const query = () => Promise.resolve([]);
    const onPaid = 'firstPaid';
    for (const dialect of ['postgres', 'mysql', 'sqlite'] as const) {
      expect(orderSchema(dialect)).toEqual(createOrderPayments({ client, dialect, query, onPaid }).schema);
      expect(orderSchema(dialect, { table: 'shop.payments' })).toEqual(
        createOrderPayments({ client, dialect, query, onPaid, table: 'shop.payments' }).schema,
      );
    }
  });

  test('refuses an unknown dialect, a table name with other characters, and an unknown option', () => {
    expect(() => orderSchema('oracle' as never)).toThrow("dialect must be 'postgres', 'mysql' or 'sqlite'");
    expect(() => orderSchema('mysql', { table: 'orders; DROP TABLE x' })).toThrow(
      'table must contain only letters',
    );
    expect(() => orderSchema('mysql', { tabel: 'x' } as never)).toThrow('did you mean table');
  });
});
