import { expect, test } from 'vitest';
import { allocation, receipt, transaction } from '../../helpers/signed-requests.js';
import { mockPages } from './support.js';

const path = '/_mock/ui/lender';

test('the page of the lender shows ledgers, receipts and allocations, the newest first', async () => {
  const { send, text } = mockPages();
  expect(await text(path)).toContain('No contracts');
  await send(receipt({ receivedAmount: 2_000_000 }));
  await send(allocation());
  await send(receipt({ contractNumber: 'CONTRACT-2', lenderTransactionCode: 'LTC-2' }));
  await send(
    receipt({
      contractNumber: 'CONTRACT-2',
      lenderTransactionCode: 'LTC-2',
      receivedStatus: 'REVERSED',
      reversalReason: 'Chuyển nhầm',
    }),
  );
  const [, ledgers = '', receipts = '', allocations = ''] = (await text(path)).split(
    /Ledgers|Receipts|Allocations/,
  );
  expect(ledgers).toMatch(/CONTRACT-2 1\.500\.000.₫ 1\.500\.000.₫ 0.₫ 0.₫ none/);
  expect(ledgers).toMatch(/CONTRACT-1 2\.000\.000.₫ 0.₫ 1\.500\.000.₫ 500\.000.₫ none/);
  expect(receipts).toMatch(/LTC-2 CONTRACT-2 1\.500\.000.₫ REVERSED Chuyển nhầm .* LTC-1 CONTRACT-1/);
  expect(allocations).toMatch(/LTC-1 CONTRACT-1 1 1\.400\.000.₫ 100\.000.₫ 0.₫ 1\.500\.000.₫/);
});

test('a ledger names its discrepancies by their receipts', async () => {
  const { send, text } = mockPages();
  await send(receipt({ receivedAmount: 1_000_000 }));
  const transactions = [transaction(), transaction({ lenderTransactionCode: 'LTC-9' })];
  await send(allocation({ repaymentTransactions: transactions }));
  expect(await text(path)).toContain('LTC-1: over allocated LTC-9: allocation without receipt');
});

test('the ledgers show which codes reversals have', async () => {
  const { send, text } = mockPages({ lender: { reversals: 'own-code' } });
  await send(receipt());
  expect(await text(path)).toContain('A reversal has a separate code.');
});

test('a search for a contract shows only that contract', async () => {
  const { send, text, page } = mockPages();
  await send(receipt());
  await send(receipt({ contractNumber: 'CONTRACT 2/ü', lenderTransactionCode: 'LTC-2' }));
  const query = '?search=CONTRACT+2%2F%C3%BC';
  expect(await page(path)).toContain(`href="${path}${query}"`);
  const shown = await text(path + query);
  expect(shown).toContain('LTC-2');
  expect(shown).not.toContain('LTC-1');
});
