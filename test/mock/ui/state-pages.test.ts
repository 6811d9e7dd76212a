import { describe, expect, it } from 'vitest';
import { DEMO_MERCHANT } from '../../../src/mock/index.js';
import { mockPages } from './support.js';
import {
  allocation,
  initiate,
  order,
  receipt,
  transaction,
  upload,
  withHeaders,
} from '../../helpers/signed-requests.js';

describe('the payments', () => {
  it('are shown with their invoices and the buttons that settle them', async () => {
    const { mock, send, text, page, get } = mockPages({ uploads: 'any' });
    await send(initiate(order({ transExpiredTime: 1000 })));
    await send(initiate(order({ referenceId: 'ORDER-2' })));
    await send(upload({ fields: { invoiceNumber: 'INV-7' } }));
    await send(upload({ fields: { fileUrl: 'https://shop.example/2.pdf' }, file: null }));
    mock.settle('ORDER:2026-0001', 'paid');
    const shown = await text('/_mock/ui/payments');
    const moment = '20/11/2026 10:04:05';
    expect(shown).toMatch(
      new RegExp(
        `ORDER-2 12.000.000.₫ pending An Nguyễn ${moment} Open Pay Decline Let it expire ORDER:2026-0001 `,
      ),
    );
    expect(shown).toMatch(new RegExp(`ORDER:2026-0001 12.000.000.₫ paid An Nguyễn ${moment} 2 Open`));
    expect(await page('/_mock/ui/payments')).toContain('href="/pay/00000001"');

    expect(await page('/_mock/ui/payments')).toContain('href="/_mock/ui/payments/00000001"');
    const detail = await text('/_mock/ui/payments/00000001');
    expect(detail).toContain(`Expires 20/11/2026 10:04:06 Settled ${moment} Transaction PT-00000001`);
    expect(detail).toContain(`INV-00000001 INV-7 invoice.pdf (87 bytes) ${moment}`);
    expect(detail).toContain('https://shop.example/2.pdf');
    expect(await page('/_mock/ui/payments/00000001')).not.toContain('Let it expire');
    expect(await page('/_mock/ui/payments/00000002')).toContain('Let it expire');
    expect((await get('/_mock/ui/payments/00000009')).status).toBe(404);
  });

  it('of two merchants with the same reference have separate invoices', async () => {
    const other = { ...DEMO_MERCHANT, clientId: 'other-client', merchantId: 'OTHER-MERCHANT' };
    const { mock, send, text } = mockPages({ uploads: 'any', merchants: [DEMO_MERCHANT, other] });
    const asOther = { 'Client-Id': other.clientId };
    await send(initiate());
    await send(withHeaders(initiate(order({ merchantId: other.merchantId })), asOther));
    const otherUpload = upload({ fields: { merchantId: other.merchantId, invoiceNumber: 'OTHER-7' } });
    await send(withHeaders(otherUpload, asOther));
    expect(mock.invoices.all()).toMatchObject([{ merchantId: other.merchantId }]);

    expect(await text('/_mock/ui/payments/00000001')).not.toContain('OTHER-7');
    expect(await text('/_mock/ui/payments/00000002')).toContain('OTHER-7');
  });

  it('of two merchants with the same reference have separate webhooks', async () => {
    const other = { ...DEMO_MERCHANT, clientId: 'other-client', merchantId: 'OTHER-MERCHANT' };
    const pages = mockPages({
      merchants: [DEMO_MERCHANT, other],
      // Nothing listens there.
      webhook: { url: 'http://127.0.0.1:1/hook' },
    });
    await pages.send(initiate());
    const asOther = initiate(order({ merchantId: other.merchantId }));
    await pages.send(withHeaders(asOther, { 'Client-Id': other.clientId }));
    pages.mock.settle('ORDER:2026-0001', 'paid', DEMO_MERCHANT.merchantId);
    pages.mock.settle('ORDER:2026-0001', 'declined', other.merchantId);
    const ids = pages.mock.webhooks.all().map(({ id }) => id);
    expect(ids).toHaveLength(2);
    for (const [index, token] of ['00000001', '00000002'].entries()) {
      const shown = await pages.text(`/_mock/ui/payments/${token}`);
      expect(ids.filter((id) => shown.includes(id))).toEqual([ids[index]]);
    }
    pages.mock.reset();
  });

  it('are found by reference, customer, transaction and status', async () => {
    const { mock, send, text } = mockPages();
    await send(initiate());
    const { customer } = order() as { customer: object };
    await send(initiate(order({ referenceId: 'ORDER-2', customer: { ...customer, firstName: 'Bình' } })));
    mock.settle('ORDER-2', 'paid');
    const found = async (query: string) =>
      [...(await text(`/_mock/ui/payments?${query}`)).matchAll(/ (ORDER\S+) 12/g)].map(([, name]) => name);
    expect(await found('')).toEqual(['ORDER-2', 'ORDER:2026-0001']);
    expect(await found('search=%20order-2')).toEqual(['ORDER-2']);
    expect(await found('search=B%C3%ACnh')).toEqual(['ORDER-2']);
    expect(await found('search=pt-00000002')).toEqual(['ORDER-2']);
    expect(await found('status=pending')).toEqual(['ORDER:2026-0001']);
    expect(await found('status=lost')).toHaveLength(2);
    expect(await text('/_mock/ui/payments?search=x')).toContain('No payment matches');
  });

  it('are shown in pages of fifty', async () => {
    const { send, page, text } = mockPages();
    expect(await text('/_mock/ui/payments')).toContain('No payments yet');
    for (let sent = 1; sent <= 51; sent += 1)
      await send(initiate(order({ referenceId: `ORDER-${String(sent)}` })));
    const [first, second] = [
      await page('/_mock/ui/payments?page=x'),
      await page('/_mock/ui/payments?page=2'),
    ];
    expect(first.match(/<th scope="row">/g)).toHaveLength(50);
    expect(first).toContain('href="/_mock/ui/payments?page=2"');
    expect(second.match(/<th scope="row">/g)).toHaveLength(1);
    expect(second).toContain('href="/_mock/ui/payments?page=1"');
  });
});

describe('the contracts', () => {
  it('are listed with their totals, the last one that changed first', async () => {
    const { send, text } = mockPages();
    expect(await text('/_mock/ui/contracts')).toContain('No contracts yet');
    await send(receipt());
    await send(receipt({ contractNumber: 'CONTRACT 2/ü', lenderTransactionCode: 'LTC-2' }));
    await send(allocation({ repaymentTransactions: [transaction(), transaction()] }));
    expect(await text('/_mock/ui/contracts')).toMatch(
      /CONTRACT-1 1 discrepancy received 1\.500\.000.₫, allocated 3\.000\.000.₫, not allocated -1\.500\.000.₫ CONTRACT 2\/ü adds up/,
    );
  });

  it('show the received and the allocated amounts as bars', async () => {
    const { send, page } = mockPages();
    await send(receipt({ receivedAmount: 2_000_000 }));
    await send(allocation());
    const shown = await page('/_mock/ui/contracts/CONTRACT-1');
    expect(shown).toMatch(/aria-label="Received: Kept 2\.000\.000.₫"/);
    expect(shown).toMatch(
      /aria-label="Allocated: Principal 1\.400\.000.₫, Service fee 100\.000.₫, Not allocated 500\.000.₫"/,
    );
    expect(shown).toMatch(/<rect class="principal" x="0" width="700" height="28"><\/rect>/);
    expect(shown).toMatch(/<rect class="fee" x="700" width="50" height="28"><\/rect>/);
    expect(shown).toMatch(/<rect class="free" x="750" width="250" height="28"><\/rect>/);
  });

  it('list events in order, and explain discrepancies', async () => {
    const { send, text } = mockPages();
    await send(receipt());
    await send(allocation({ repaymentType: 'NORMAL' }));
    await send(receipt({ receivedStatus: 'REVERSED', reversalReason: 'Chuyển nhầm' }));
    const parts = { allocatedPrincipal: 0, allocatedServiceFee: undefined, allocatedTotal: 0 };
    await send(
      allocation({
        requestId: 'REQ-A2',
        repaymentTransactions: [
          transaction({ lenderTransactionCode: 'LTC-9', installmentId: 'INST-1' }),
          transaction(parts),
        ],
      }),
    );
    await send(
      receipt({
        lenderTransactionCode: 'LTC-3',
        receivedAmount: 100,
        receivedStatus: 'REVERSED',
        reversalReason: 'x',
      }),
    );
    const shown = await text('/_mock/ui/contracts/CONTRACT-1');
    expect(shown).toMatch(
      /The receipt LTC-1 of 1\.500\.000.₫ was reversed, but 1\.500\.000.₫ of it is still allocated/,
    );
    expect(shown).toMatch(
      /1\.500\.000.₫ was allocated from LTC-9, but no receipt with this code has arrived/,
    );
    expect(shown).toMatch(
      /Allocated 1\.500\.000.₫ to installment 1 From LTC-1 : principal 1\.400\.000.₫, service fee 100\.000.₫ NORMAL REQ-A1/,
    );
    expect(shown).toMatch(/Reversed 1\.500\.000.₫ Receipt LTC-1 : Chuyển nhầm/);
    expect(shown).toContain('1 INST-1');
    expect(shown).toContain('2 discrepancies');
  });

  it('have empty bars without amounts', async () => {
    const { send, page } = mockPages();
    await send(receipt({ receivedStatus: 'REVERSED', reversalReason: 'x' }));
    const shown = await page('/_mock/ui/contracts/CONTRACT-1');
    expect(shown).toMatch(/aria-label="Received: Reversed 1\.500\.000.₫"/);
    expect(shown).toContain('aria-label="Allocated: nothing"');
  });

  it('say by how much more was allocated than received', async () => {
    const { send, text } = mockPages();
    await send(receipt({ receivedAmount: 1_000_000 }));
    await send(allocation());
    expect(await text('/_mock/ui/contracts/CONTRACT-1')).toMatch(
      /1\.500\.000.₫ was allocated from LTC-1, which is 500\.000.₫ more than the 1\.000\.000.₫ that was received/,
    );
  });

  it('are a 404 without notifications', async () => {
    const { get } = mockPages();
    expect((await get('/_mock/ui/contracts/CONTRACT-1')).status).toBe(404);
  });
});
