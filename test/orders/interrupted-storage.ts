import type { OrderStorage } from '../../src/entries/orders.js';

type Statement = () => Promise<unknown>;

/** A storage each of whose statements, counted from 0, runs within `interrupt`. */
export function interruptedStorage(
  storage: OrderStorage,
  interrupt: (statement: Statement, index: number) => Promise<unknown>,
): OrderStorage {
  let count = 0;
  const statements = Object.entries(storage) as [string, (...values: unknown[]) => Promise<unknown>][];
  const interrupted = statements.map(([name, statement]) => {
    const run = (...values: unknown[]) => interrupt(() => statement(...values), count++);
    return [name, run] as const;
  });
  return Object.fromEntries(interrupted) as unknown as OrderStorage;
}

function connectionLost(): Error {
  return new Error('connection terminated: customer Lan, 0912345678');
}

/** The faults of a database at one statement. */
export const statementFaults = {
  'a response that is lost': (at: number) => async (statement: Statement, index: number) => {
    const result = await statement();
    if (index === at) throw connectionLost();
    return result;
  },
  'a failure before it acts': (at: number) => async (statement: Statement, index: number) => {
    if (index === at) throw connectionLost();
    return statement();
  },
} as const;

/** A database that is gone from one statement on, which still acts or does not. */
export const outages = {
  'after it has acted': (at: number) => async (statement: Statement, index: number) => {
    const result = index <= at ? await statement() : undefined;
    if (index >= at) throw connectionLost();
    return result;
  },
  'before it acts': (at: number) => async (statement: Statement, index: number) => {
    if (index >= at) throw connectionLost();
    return statement();
  },
} as const;
