// An independent service, for the tests of `probe`. It checks the shape of a request, then its time, then
// its signature. It is written only from the specification, and shares no code with the package.
//
//   node shape-first.mjs '{"port":0,"clientId":"C","secretKey":"K",…}'
//
// POST /_configure with another combination starts again. GET /_count returns what was created.
import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

const repeats = ['replay', 'duplicate', 'invalid', 'conflict', 'processing', 'busy', 'another'];
const choices = {
  signatureEncoding: ['hex', 'hex-upper', 'base64', 'base64url'],
  secretKeyEncoding: ['utf8', 'hex', 'base64'],
  exactBytes: [true, false],
  absentFields: ['empty', 'omit'],
  repeat: repeats,
  repeatInFlight: repeats,
  firstResponse: ['approved', 'processing'],
  uploadsBeforePayment: ['refused', 'accepted'],
};

function openService(combination) {
  for (const [name, allowed] of Object.entries(choices)) {
    if (!allowed.includes(combination[name])) throw new Error(`${name}: ${combination[name]}`);
  }
  const { refusals, requestTimeOffset, secretKey, secretKeyEncoding } = combination;
  if (refusals !== 200 && refusals !== 'by-kind' && typeof refusals !== 'object') throw new Error('refusals');
  if (requestTimeOffset !== 'any' && Number.isNaN(readTime('2026-01-01 00:00:00', requestTimeOffset))) {
    throw new Error(`requestTimeOffset: ${requestTimeOffset}`);
  }
  return {
    ...combination,
    workMs: combination.workMs ?? 100, // how long a payment takes, so that a repeat can meet it in flight
    key: Buffer.from(secretKey, secretKeyEncoding),
    calls: new Map(), // by Idempotency-Key
    uploads: new Map(), // by referenceId, how many
    payments: 0,
    invoices: 0,
  };
}

// Shape, time and signature

function refuse(resultStatus, more) {
  return { resultStatus, resultMsg: `Declined: ${resultStatus}`, ...more };
}

function wrongShapeOf(order) {
  const isText = (value) => typeof value === 'string' && value !== '';
  const haveTexts = (object, names) => names.split(' ').every((name) => isText(object?.[name]));
  const isComplete =
    haveTexts(order, 'merchantId storeId referenceId platformId description') &&
    haveTexts(order, 'successRedirectUrl unSuccessRedirectUrl') &&
    haveTexts(order.customer, 'phoneNumber email firstName lastName') &&
    haveTexts(order.shipping, 'city district ward street houseNumber') &&
    order.requestType === 'installment' &&
    ['APP', 'POS', 'WEB'].includes(order.paymentMethod) &&
    order.amount?.currency === 'VND' &&
    Array.isArray(order.items) &&
    order.items.length <= 200 &&
    order.items.every((item) => haveTexts(item, 'productId productName category') && item.quantity > 0);
  if (!isComplete) return 'INVALID_REQUEST';
  if (!/^[0-9a-zA-Z_:-]{1,60}$/.test(order.referenceId)) return 'INVALID_REFERENCE_ID';
  if (!(order.amount.value > 0)) return 'INVALID_AMOUNT';
}

function readTime(text, offset) {
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) ? Date.parse(text.replace(' ', 'T') + offset) : NaN;
}

function isTimely({ requestTimeOffset }, text) {
  if (requestTimeOffset === 'any') return !Number.isNaN(readTime(text, 'Z'));
  return Math.abs(Date.now() - readTime(text, requestTimeOffset)) < 5 * 60_000;
}

/** A refusal if the sender is not authentic, or undefined. */
function wrongSender(service, headers, signed, encoding) {
  if (!isTimely(service, headers['request-time'])) return refuse('INVALID_REQUEST');
  if (headers['client-id'] !== service.clientId) return refuse('INVALID_CLIENT_ID');
  const hmac = createHmac('sha256', service.key).update(signed);
  const expected = encoding === 'hex-upper' ? hmac.digest('hex').toUpperCase() : hmac.digest(encoding);
  if (headers.signature !== expected) return refuse('INVALID_SIGNATURE');
}

// Payments.

function parseJson(body) {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function writeSorted(value) {
  if (Array.isArray(value)) return `[${value.map(writeSorted).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${writeSorted(value[name])}`).join(',')}}`;
}

async function initiatePayment(service, headers, body) {
  const order = parseJson(body);
  const wrong = wrongShapeOf(order);
  if (wrong) return refuse(wrong);
  const signed = service.exactBytes ? body : writeSorted(order);
  const isKnownElsewhere =
    !service.calls.has(headers['idempotency-key']) && service.uploads.has(order.referenceId);
  if (service.duplicatesFirst && isKnownElsewhere) return refuse('DUPLICATE_REFERENCE_ID');
  const refusal = wrongSender(service, headers, signed, service.signatureEncoding);
  if (refusal) return refusal;

  const key = headers['idempotency-key'];
  const earlier = service.calls.get(key);
  if (earlier) return repeatCall(service, order, earlier);
  if (service.uploads.has(order.referenceId)) return refuse('DUPLICATE_REFERENCE_ID');

  service.uploads.set(order.referenceId, 0);
  const call = { startedAt: Date.now(), isDone: false, result: createPayment(service, order) };
  if (key) service.calls.set(key, call);
  const result = await call.result;
  call.isDone = true;
  return service.firstResponse === 'processing' ? refuse('REQUEST_PROCESSING') : result;
}

async function createPayment(service, { merchantId, referenceId }) {
  await sleep(service.workMs);
  service.payments += 1;
  const responseTime = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  const paymentUrl = `https://pay.shape-first.example/${randomUUID()}`;
  return { merchantId, referenceId, responseTime, resultStatus: 'APPROVED', resultMsg: 'OK', paymentUrl };
}

function repeatCall(service, order, earlier) {
  const manner = earlier.isDone ? service.repeat : service.repeatInFlight;
  const isBusy = Date.now() - earlier.startedAt < 1500;
  if (manner === 'another') return createPayment(service, order);
  if (manner === 'duplicate') return refuse('DUPLICATE_REFERENCE_ID');
  if (manner === 'invalid') return refuse('INVALID_REQUEST');
  if (manner === 'processing') return refuse('REQUEST_PROCESSING');
  if (manner === 'conflict') return { httpStatus: 409, title: 'Idempotency conflict' };
  if (manner === 'busy' && isBusy) return refuse('REQUEST_PROCESSING', { httpStatus: 422 });
  return earlier.result;
}

// Invoices.

const signedFields =
  'merchantId referenceId paymentTransId storeId invoiceNumber invoiceDate description extraData';
const fileTypes = ['image/jpeg', 'image/png', 'application/pdf', 'application/xml'];

function uploadInvoice(service, headers, body) {
  const { fields, file } = parseForm(headers['content-type'], body);
  if (!fields.referenceId || !(file || fields.fileUrl)) return refuse('INVALID_REQUEST');
  if (file && !fileTypes.includes(file.type)) return refuse('INVALID_FILE_TYPE');
  if (file?.size > 5 * 1024 * 1024) return refuse('FILE_TOO_LARGE');

  const names = signedFields.split(' ').filter((name) => name in fields || service.absentFields === 'empty');
  const signed = names.map((name) => `${name}=${fields[name] ?? ''}`).join('&');
  const encoding = service.signatureEncoding === 'hex-upper' ? 'hex-upper' : 'hex';
  const refusal = wrongSender(service, headers, signed, encoding);
  if (refusal) return refusal;

  const { referenceId, paymentTransId } = fields;
  const count = service.uploads.get(referenceId);
  if (count === undefined) return refuse('INVALID_REFERENCE_ID');
  if (service.uploadsBeforePayment === 'refused')
    return refuse('INVALID_REQUEST', { reason: 'Not paid yet' });
  if (count === 3) return refuse('LIMIT_EXCEEDED');
  service.uploads.set(referenceId, count + 1);
  service.invoices += 1;
  const approved = { resultStatus: 'APPROVED', resultMsg: 'Stored', invoiceId: randomUUID() };
  return { ...approved, referenceId, paymentTransId, uploadedAt: new Date().toISOString() };
}

function parseForm(contentType, body) {
  const form = { fields: {}, file: undefined };
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)/.exec(contentType)?.[1];
  // In latin1 each byte is a character, so that the size of a file is the length of its text.
  const parts = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`);
  for (const part of parts.slice(1, -1)) {
    const [head] = part.split('\r\n\r\n', 1);
    const content = part.slice(head.length + 4);
    const name = /\bname="([^"]*)"/.exec(head)?.[1];
    if (name === 'file')
      form.file = { type: /content-type: *([\w/]+)/i.exec(head)?.[1], size: content.length };
    else form.fields[name] = Buffer.from(content, 'latin1').toString();
  }
  return form;
}

// HTTP.

const compressors = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync };

function httpStatusOf({ refusals }, { httpStatus, resultStatus }) {
  if (httpStatus) return httpStatus;
  if (resultStatus === 'APPROVED' || refusals === 200) return 200;
  if (refusals !== 'by-kind') return refusals[resultStatus] ?? 200;
  if (['INVALID_SIGNATURE', 'INVALID_CLIENT_ID'].includes(resultStatus)) return 401;
  if (['DUPLICATE_REFERENCE_ID', 'REQUEST_PROCESSING'].includes(resultStatus)) return 409;
  return { INVALID_API: 404, INVALID_HTTP_METHOD: 405, FILE_TOO_LARGE: 413 }[resultStatus] ?? 422;
}

const operations = { '/v2/payments': initiatePayment, '/v2/payments/upload-invoice': uploadInvoice };

let current = openService(JSON.parse(process.argv[2]));

async function serve(request, response) {
  const service = current; // requests in flight belong to the old combination
  const body = Buffer.concat(await request.toArray());
  const send = (status, value) => response.writeHead(status).end(JSON.stringify(value));
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('X-Correlation-Id', randomUUID());

  if (request.url === '/_count') return send(200, { payments: service.payments, invoices: service.invoices });
  if (request.url === '/_configure') {
    try {
      current = openService(JSON.parse(body));
      return send(200, {});
    } catch (error) {
      return send(400, { error: error.message });
    }
  }

  const operate = operations[request.url] ?? (() => refuse('INVALID_API'));
  const isMethodWrong = request.url in operations && request.method !== 'POST';
  const result = isMethodWrong
    ? refuse('INVALID_HTTP_METHOD')
    : await operate(service, request.headers, body);
  const { httpStatus, ...members } = result;
  const compress = compressors[service.contentEncoding];
  if (!compress) return send(httpStatusOf(service, result), members);
  response.setHeader('Content-Encoding', service.contentEncoding);
  response.writeHead(httpStatusOf(service, result)).end(compress(JSON.stringify(members)));
}

const server = createServer((request, response) => {
  // A sender that closes the connection in the middle of its body ends only its own request.
  serve(request, response).catch((error) => response.destroy(error));
});

server.listen(current.port, '127.0.0.1', () => console.log(`listening ${server.address().port}`));
