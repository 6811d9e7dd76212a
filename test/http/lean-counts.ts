/**
 * Counts what single calls make, in a process of its own: here globals may be wrapped without touching a test.
 * Prints the counts as JSON.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

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

/** What a piece of work made, by name. */
async function countsOf(work: () => Promise<unknown>): Promise<Record<string, number>> {
  for (const name of Object.keys(counts)) counts[name] = 0;
  await work();
  return { ...counts };
}

// Before the package is loaded: it keeps what it imports.
Object.assign(crypto, {
  createHmac: counted('createHmac', crypto.createHmac),
  createHash: counted('createHash', crypto.createHash),
});
syncBuiltinESMExports();
for (const name of ['Request', 'Headers', 'AbortController', 'ReadableStream', 'setTimeout'] as const) {
  Object.assign(globalThis, { [name]: counted(name, globalThis[name]) });
}
Object.assign(JSON, {
  parse: counted('JSON.parse', JSON.parse),
  stringify: counted('JSON.stringify', JSON.stringify),
});
const { stringify } = JSON;

const { InstallmentClient, paymentRequestSchema } = await import('../../src/index.js');
const { approvedInvoice, approvedPayment, demo, files, invoiceUpload, paymentRequest } =
  await import('../helpers/samples.js');

Object.assign(paymentRequestSchema, {
  safeParse: counted('safeParse', paymentRequestSchema.safeParse.bind(paymentRequestSchema)),
});

const paymentAnswer = stringify(approvedPayment());
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

/** A service whose answers are made before anything is counted. */
function answering(text: string) {
  const answers = Array.from({ length: 4 }, () => new Response(text));
  return () => {
    const answer = answers.pop();
    return answer ? Promise.resolve(answer) : Promise.reject(new Error('no answer is left'));
  };
}

const paying = new InstallmentClient({ ...demo, fetch: answering(paymentAnswer) });
const order = watchedOrder() as ReturnType<typeof paymentRequest>;
await paying.initiatePayment(order); // the first call loads and compiles
const payment = await countsOf(() => paying.initiatePayment(order));

const fileBytes = 5 * 1024 * 1024;
const file = Buffer.concat([files.pdf, Buffer.alloc(fileBytes - files.pdf.length)]);
let before = 0;

/** Copies of the file that were made up to now; collected ones would only make it less. */
function copies(): number {
  return (process.memoryUsage().arrayBuffers - before) / fileBytes;
}

let copiesSent = 0;
const approve = answering(invoiceAnswer);
const uploading = new InstallmentClient({
  ...demo,
  fetch: () => {
    copiesSent = copies();
    return approve();
  },
});
await uploading.uploadInvoice(invoiceUpload());
before = process.memoryUsage().arrayBuffers;
const upload = await countsOf(() => uploading.uploadInvoice(invoiceUpload({ file })));

// The runtime's own fetch, as far as the package can tell.
let copiesStreamed = 0;
Object.assign(globalThis, {
  fetch: async (_url: string, { body }: { body: ReadableStream<Uint8Array> }) => {
    for await (const chunk of body) copiesStreamed = Math.max(copiesStreamed, chunk.length && copies());
    return approve();
  },
});
const native = new InstallmentClient(demo);
before = process.memoryUsage().arrayBuffers;
await native.uploadInvoice(invoiceUpload({ file }));

console.log(stringify({ payment, upload: { ...upload, copiesSent, copiesStreamed } }));
