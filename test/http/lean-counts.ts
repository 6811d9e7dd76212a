/**
 * Counts what single calls make, in a process of its own: here globals may be wrapped without touching a test.
 * Prints the counts as JSON.
 */
import crypto from 'node:crypto';
import { Channel } from 'node:diagnostics_channel';
import http, { type ClientRequest } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const counts: Record<string, number> = {};

function counted<Callable extends object>(name: string, callable: Callable): Callable {
  const count = () => (counts[name] = (counts[name] ?? 0) + 1);
  return new Proxy(callable, {
    construct(target, args: unknown[], newTarget) {
      count();
      return Reflect.construct(target as new () => object, args, newTarget) as object;
    },
    apply(target, self, args: unknown[]): unknown {
      count();
      return Reflect.apply(target as () => unknown, self, args);
    },
  });
}

/** The objects that a piece of work made, by name. */
async function countsOf(work: () => Promise<unknown>): Promise<Record<string, number>> {
  for (const name of Object.keys(counts)) counts[name] = 0;
  await work();
  return { ...counts };
}

let onSent: () => void = () => undefined;

/** Makes requests as Node does, and tells when one has left. */
function watchedRequest(...given: Parameters<typeof http.request>): ClientRequest {
  return countedRequest(...given).once('finish', () => {
    onSent();
  });
}

// Before the package is loaded: it keeps what it imports.
const countedRequest = counted('http.request', http.request);
http.request = watchedRequest as typeof http.request;
Object.assign(crypto, {
  createHmac: counted('createHmac', crypto.createHmac),
  createHash: counted('createHash', crypto.createHash),
});
Object.assign(Channel.prototype, {
  publish: counted('publish', Reflect.get(Channel.prototype, 'publish') as () => void),
  runStores: counted('runStores', Reflect.get(Channel.prototype, 'runStores') as () => void),
});
syncBuiltinESMExports();
// Node itself has its own references to these.
for (const name of ['Error', 'TypeError', 'RangeError'] as const) {
  Object.assign(globalThis, { [name]: counted(name, globalThis[name]) });
}
for (const name of ['Request', 'Headers', 'AbortController', 'ReadableStream', 'setTimeout'] as const) {
  Object.assign(globalThis, { [name]: counted(name, globalThis[name]) });
}
Object.assign(JSON, {
  parse: counted('JSON.parse', JSON.parse),
  stringify: counted('JSON.stringify', JSON.stringify),
});
const { stringify } = JSON;

const { InstallmentClient } = await import('../../src/index.js');
const { completePaymentRequestSchema: schema } = await import('../../src/protocol/payment-schema.js');
const { approvedInvoice, demo, files, invoiceUpload, paymentRequest } = await import('../helpers/samples.js');

Object.assign(schema, { safeParse: counted('safeParse', schema.safeParse.bind(schema)) });

const invoiceAnswer = stringify(approvedInvoice());

/** An order that counts how often the name of its first product is read. */
function watchedOrder() {
  const order = paymentRequest();
  const [item] = order.items;
  const { productName } = item ?? { productName: '' };
  const read = counted('reads of a field', () => productName);
  return {
    ...order,
    items: [Object.defineProperty({ ...item }, 'productName', { get: read, enumerable: true })],
  };
}

const baseUrl = process.env['LEAN_SERVER'] ?? '';

const paying = new InstallmentClient({ ...demo, baseUrl });
const order = watchedOrder() as ReturnType<typeof paymentRequest>;
await paying.initiatePayment(order); // the first call loads and compiles
const payment = await countsOf(() => paying.initiatePayment(order));

const fileBytes = 5 * 1024 * 1024;
const file = Buffer.concat([files.pdf, Buffer.alloc(fileBytes - files.pdf.length)]);
let before = 0;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes of buffers that something still holds. */
function heldBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

/** Waits until what an upload before has left is gone, which a socket may hold for a while: the file alone is held. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 200 && heldBytes() > 1.5 * fileBytes; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Copies of the file that are held now. */
function copies(): number {
  return (heldBytes() - before) / fileBytes;
}

let copiesSent = 0;
onSent = () => {
  copiesSent = copies();
};
await paying.uploadInvoice(invoiceUpload());
await settled();
before = heldBytes();
const upload = await countsOf(() => paying.uploadInvoice(invoiceUpload({ file })));

let copiesStreamed = 0;
const streaming = new InstallmentClient({
  ...demo,
  fetch: async (_url, { body } = {}) => {
    const pieces = body as ReadableStream<Uint8Array>;
    for await (const piece of pieces) copiesStreamed = Math.max(copiesStreamed, piece.length && copies());
    return new Response(invoiceAnswer);
  },
});
await settled();
before = heldBytes();
await streaming.uploadInvoice(invoiceUpload({ file }));

console.log(stringify({ payment, upload: { ...upload, copiesSent, copiesStreamed } }));
