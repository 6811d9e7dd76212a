import { expect, test } from 'vitest';
import { orderWarnings } from '../../../src/mock/service/order-warnings.js';
import type { PaymentRequestWire } from '../../../src/protocol/payment-types.js';
import { order } from '../../helpers/signed-requests.js';

const sample = order() as unknown as PaymentRequestWire;
const amounting = (value: number) => ({ amount: { value, currency: 'VND' } });
const costing = (...totals: number[]) => ({
  items: totals.map((totalAmount) => ({ ...sample.items[0], totalAmount })),
});
const moreThan = 'The sum of the items is ten times amount.value or more: check that all amounts are in VND.';
const lessThan =
  'The sum of the items is a tenth of amount.value or less: check that all amounts are in VND.';
const oddTime = (size: string) => (ms: number) =>
  `transExpiredTime is ${ms} ms, ${size}: it must be a duration in milliseconds, not a point in time. 15 minutes are 900000.`;
const short = oddTime('less than a minute');
const long = oddTime('more than 90 days');
const empty = (path: string) => `${path} is empty, although it is a required field.`;

test.each<[string, object, string[]]>([
  ['nothing odd', {}, []],
  ['items of ten times the amount', { ...amounting(1000), ...costing(4000, 6000) }, [moreThan]],
  ['items of almost ten times the amount', { ...amounting(1000), ...costing(9999) }, []],
  ['items of a tenth of the amount', { ...amounting(1000), ...costing(60, 40) }, [lessThan]],
  ['items of more than a tenth', { ...amounting(1000), ...costing(101) }, []],
  ['an amount in xu', { ...amounting(100_000), ...costing(1000) }, [lessThan]],
  ['15 minutes in seconds', { transExpiredTime: 900 }, [short(900)]],
  ['a day in seconds', { transExpiredTime: 86_400 }, [oddTime('probably whole hours in seconds')(86_400)]],
  ['less than a minute', { transExpiredTime: 59_999 }, [short(59_999)]],
  ['a minute', { transExpiredTime: 60_000 }, []],
  ['90 days', { transExpiredTime: 7_776_000_000 }, []],
  ['a moment in milliseconds', { transExpiredTime: 1_780_000_000_000 }, [long(1_780_000_000_000)]],
  ['no description', { description: '' }, [empty('description')]],
  ['white space', { description: ' \n' }, [empty('description')]],
  ['no last name', { customer: { ...sample.customer, lastName: '' } }, [empty('customer.lastName')]],
  ['no ward', { shipping: { ...sample.shipping, ward: '' } }, [empty('shipping.ward')]],
  [
    'two items without a category',
    { items: [sample.items[0], sample.items[0]].map((item) => ({ ...item, category: '' })) },
    [empty('items[].category')],
  ],
  ['an empty optional text', { extraData: '', customer: { ...sample.customer, rank: '' } }, []],
])('an order with %s has a warning only if that is odd', (_title, changes, warnings) => {
  expect(orderWarnings({ ...sample, ...changes })).toEqual(warnings);
});
