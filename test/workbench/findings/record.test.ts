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
  test('contains all records of the mock, and no page checks or links if no run was observed', () => {
    expect(recordOf(mock, facts)).toEqual({
      ...{ requests: recorded, payments: recorded, invoices: recorded, webhooks: recorded },
      ...{
        settledPayments: [],
        pageChecks: [],
        shownLinks: [],
        hasWebhook: false,
        requestTimeOffset: 7 * 60,
      },
    });
    expect(recordOf(mock, { ...facts, hasWebhook: true }).hasWebhook).toBe(true);
  });

  test('leaves out late references', () => {
    const observed = {
      settledPayments: recorded,
      pageChecks: recorded,
      shownLinks: inTime,
      orderCount: 2,
    } as never;
    expect(recordOf(mock, facts, observed, ['B'])).toMatchObject({
      ...{ requests: inTime, payments: inTime, invoices: inTime, webhooks: inTime },
      ...{ settledPayments: inTime, pageChecks: inTime, shownLinks: inTime, orderCount: 2 },
    });
  });
});
