import { beforeEach, expect, test } from 'vitest';
import { Changes, type MockChange } from '../../../src/mock/state/changes.js';
import { InvoiceStore, type MockInvoice } from '../../../src/mock/state/invoices.js';
import { now } from '../../helpers/signed-requests.js';

const payment = (referenceId: string) => ({ referenceId, merchantId: 'M-1', invoices: [] as MockInvoice[] });

let first = payment('R-1');
let second = payment('R-2');
let seen: MockChange[];
let store: InvoiceStore;

beforeEach(() => {
  first = payment('R-1');
  second = payment('R-2');
  seen = [];
  const changes = new Changes();
  changes.subscribe((change) => seen.push(change));
  store = new InvoiceStore({ records: () => [first, second] }, now, changes);
});

test('an invoice is stored with its payment, and announced', () => {
  const file = { field: 'file', name: 'a.pdf', type: 'application/pdf', size: 1, sha256: 'x' };
  const stored = store.create(first, { paymentTransId: 'PT-1', fields: { a: '1' }, file });
  expect(stored).toStrictEqual({
    invoiceId: 'INV-00000001',
    referenceId: 'R-1',
    merchantId: 'M-1',
    uploadedAt: now(),
    paymentTransId: 'PT-1',
    fields: { a: '1' },
    file,
  });
  expect(first.invoices).toStrictEqual([stored]);
  expect(Object.isFrozen(stored)).toBe(true);
  expect(seen).toStrictEqual([{ kind: 'invoice', invoiceId: 'INV-00000001' }]);
});

test('invoices are listed in the order in which they came, whatever their payments', () => {
  for (const owner of [second, first, second]) store.create(owner, { fields: {} });
  const listed = store.all().map(({ invoiceId, referenceId }) => [invoiceId, referenceId]);
  expect(listed).toStrictEqual([
    ['INV-00000001', 'R-2'],
    ['INV-00000002', 'R-1'],
    ['INV-00000003', 'R-2'],
  ]);
});

test('numbers begin again after a reset', () => {
  store.create(first, { fields: {} });
  store.reset();
  expect(store.create(second, { fields: {} }).invoiceId).toBe('INV-00000001');
});
