import { expect, test } from 'vitest';
import type { ShopRequest } from './database.js';
import { xmlInvoice } from './invoice-file.js';

test('an invoice has number, date, total and lines of its order, with every text escaped', () => {
  const line = (productName: string, quantity: number, totalAmount: number) => ({
    productName,
    quantity,
    totalAmount,
  });
  const request = {
    amount: { value: 8_490_000, currency: 'VND' },
    items: [line('Tủ lạnh hai cánh 255 lít', 1, 8_490_000), line('<b> "A" & \'B\' & C', 2, 5)],
  } as ShopRequest;

  const file = xmlInvoice({ id: 'ORDER-1', placedAt: Date.parse('2026-11-20T03:00:00Z'), request });

  expect(file).toMatchObject({ filename: 'ORDER-1.xml', contentType: 'application/xml' });
  expect(new TextDecoder().decode(file.data)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<invoice number="ORDER-1" date="2026-11-20T03:00:00.000Z" total="8490000" currency="VND">
  <line name="Tủ lạnh hai cánh 255 lít" quantity="1" total="8490000"/>
  <line name="&lt;b&gt; &quot;A&quot; &amp; 'B' &amp; C" quantity="2" total="5"/>
</invoice>
`);
});
