/** A plain XML invoice. Replace it with the file of your invoicing software. */
import type { Order } from './database.js';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? '');

export function xmlInvoice({ id, request, placedAt }: Order) {
  const lines = request.items.map(
    ({ productName, quantity, totalAmount }) =>
      `  <line name="${escaped(productName)}" quantity="${quantity}" total="${totalAmount}"/>\n`,
  );
  const date = new Date(placedAt).toISOString();
  const { value, currency } = request.amount;
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<invoice number="${id}" date="${date}" total="${value}" currency="${currency}">
${lines.join('')}</invoice>
`;
  return { data: new TextEncoder().encode(xml), filename: `${id}.xml`, contentType: 'application/xml' };
}
