import { createServer } from 'node:http';
import { approved, hmac } from './order.js';

/** Key that payos signs its answers with. */
export const payosChecksumKey = 'checksum';

const link: Record<string, string | number> = {
  accountNumber: '12345678',
  amount: 12_000_000,
  bin: '970422',
  checkoutUrl: 'https://pay.example/p/1',
  currency: 'VND',
  description: 'DON HANG',
  orderCode: 1,
  paymentLinkId: 'link-1',
  qrCode: '000201010212',
  status: 'PENDING',
};

function payosAnswer(): string {
  const canonical = Object.keys(link)
    .sort()
    .map((name) => `${name}=${String(link[name])}`)
    .join('&');
  return JSON.stringify({
    code: '00',
    desc: 'success',
    data: link,
    signature: hmac(canonical, payosChecksumKey),
  });
}

const answers: Readonly<Record<string, string>> = {
  '/v2/payments': approved,
  '/v2/payments/upload-invoice': JSON.stringify({ referenceId: 'ORDER-1', resultStatus: 'APPROVED' }),
  '/v1/checkout/sessions': JSON.stringify({
    id: 'cs_1',
    object: 'checkout.session',
    url: 'https://pay.example',
  }),
  '/v1/chat/completions': JSON.stringify({
    id: 'c_1',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }],
  }),
  '/v2/payment-requests': payosAnswer(),
};

/** Serves one answer for each path, whatever it is asked. */
export function startAnswering(): void {
  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    request.resume().on('end', () => {
      const body = Buffer.from(answers[request.url ?? ''] ?? '{}');
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.end(body);
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (typeof address === 'object' && address) process.send?.({ url: `http://127.0.0.1:${address.port}` });
  });
}
