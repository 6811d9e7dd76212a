import { expect, test } from 'vitest';
import { ShopDatabase } from './database.js';
import { xmlInvoice } from './invoice-file.js';
import { placeOrder } from './test-support.js';

test('an invoice has number, date, total and lines of its order, with every text escaped', async () => {
  const now = new Date('2026-11-20T03:00:00Z');
  const database = await ShopDatabase.open(':memory:');
  const id = await placeOrder(database, now);
  const order = await database.order(id);
  database.close();
  if (!order) throw new Error('the order is missing');
  const [line] = order.request.items;
  if (!line) throw new Error('the order has no lines');
  const items = [line, { ...line, productName: '<b> "A" & \'B\' & C', quantity: 2, totalAmount: 5 }];

  const file = xmlInvoice({ ...order, request: { ...order.request, items } });

  expect(file).toMatchObject({ filename: `${id}.xml`, contentType: 'application/xml' });
  expect(Buffer.from(file.data as Uint8Array).toString()).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<invoice number="${id}" date="2026-11-20T03:00:00.000Z" total="8490000" currency="VND">
  <line name="Tủ lạnh hai cánh 255 lít" quantity="1" total="8490000"/>
  <line name="&lt;b&gt; &quot;A&quot; &amp; 'B' &amp; C" quantity="2" total="5"/>
</invoice>
`);
});
