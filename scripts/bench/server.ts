import { createServer, type RequestListener } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import { makeAuthority, makeCertificate } from '../../test/faults/certificate.js';
import { approved, hmac } from './order.js';
import type { WorkerMessage } from './processes.js';

/** The key with which payos signs its responses. */
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

// nginx does the same.
const keepAliveTimeout = 75_000;

/** Serves a fixed response for each path, whatever the request is. */
const answer: RequestListener = (request, response) => {
  request.resume().on('end', () => {
    const body = Buffer.from(answers[request.url ?? ''] ?? '{}');
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
};

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

export async function startAnswering(): Promise<WorkerMessage> {
  return { url: `http://127.0.0.1:${await portOf(createServer({ keepAliveTimeout }, answer))}` };
}

function passOn(from: Socket, to: Socket, delayMs: number): void {
  from.on('data', (chunk) => setTimeout(() => to.write(chunk), delayMs));
  from.on('end', () => setTimeout(() => to.end(), delayMs));
  from.on('error', () => to.destroy());
}

/** Serves the fixed responses over TLS, behind a relay that delays the data in each direction. */
export async function startFarAway(delayMs: number): Promise<WorkerMessage> {
  const authority = makeAuthority();
  const certificate = makeCertificate({ host: '127.0.0.1', issuer: authority });
  const port = await portOf(https.createServer({ ...certificate, keepAliveTimeout }, answer));
  const relay = net.createServer({ noDelay: true }, (near) => {
    const far = net.connect({ port, host: '127.0.0.1', noDelay: true });
    passOn(near, far, delayMs);
    passOn(far, near, delayMs);
  });
  return { url: `https://127.0.0.1:${await portOf(relay)}`, ca: authority.cert };
}
