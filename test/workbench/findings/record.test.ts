import { describe, expect, test } from 'vitest';
import { recordOf } from '../../../src/workbench/findings/record.js';
import { wireSwitchesSchema } from '../../../src/protocol/wire-switches.js';

const inTime = [{ referenceId: 'A' }, {}];
const late = { referenceId: 'B' };
const recorded = [...inTime, late];
const store = { all: () => recorded };
const mock = { journal: store, payments: store, invoices: store, webhooks: store } as never;
const facts = { hasWebhook: false, wire: wireSwitchesSchema.parse({}) };

describe('the record of a run', () => {
  test('contains all records of the mock, without page checks and clicks if the run was not watched', () => {
    expect(recordOf(mock, facts)).toEqual({
      ...{ requests: recorded, payments: recorded, invoices: recorded, webhooks: recorded },
      ...{ ends: [], pageChecks: [], clicks: [], hasWebhook: false, requestTimeOffset: 7 * 60 },
    });
    expect(recordOf(mock, { ...facts, hasWebhook: true }).hasWebhook).toBe(true);
  });

  test('leaves out the references that arrived too late', () => {
    const watched = { ends: recorded, pageChecks: recorded, clicks: inTime, orders: 2 } as never;
    expect(recordOf(mock, facts, watched, ['B'])).toMatchObject({
      ...{ requests: inTime, payments: inTime, invoices: inTime, webhooks: inTime },
      ...{ ends: inTime, pageChecks: inTime, clicks: inTime, orders: 2 },
    });
  });
});
