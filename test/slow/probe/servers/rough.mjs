// An independent service behind a bad network, for the tests of `probe`. Its seed decides when it asks the sender
// to come again (429), loses a response after it acted, or redirects the sender (307). With seed 0 it never does so.
// It is written only from the specification, and shares no code with the package.
//
//   node rough.mjs '{"port":0,"clientId":"C","secretKey":"K",…}'
//
// POST /_configure with another combination starts again. GET /_count returns what was created, and how many requests
// followed a redirect.
import crypto from 'node:crypto';
import http from 'node:http';
import zlib from 'node:zlib';

const MANNERS = new Set(['replay', 'duplicate', 'invalid', 'conflict', 'processing', 'busy', 'another']);
const BY_KIND = new Map([
  ['INVALID_SIGNATURE', 401],
  ['INVALID_CLIENT_ID', 403],
  ['INVALID_API', 404],
  ['INVALID_HTTP_METHOD', 405],
  ['DUPLICATE_REFERENCE_ID', 409],
  ['REQUEST_PROCESSING', 409],
]);

const COMPRESS = new Map([
  ['gzip', zlib.gzipSync],
  ['br', zlib.brotliCompressSync],
  ['deflate', zlib.deflateRawSync], // as some servers write it
]);

const check = (isKnown, name) => {
  if (!isKnown) throw new Error(`not a value of ${name}`);
};

class Service {
  orders = new Map(); // by reference: { files }
  keys = new Map(); // by Idempotency-Key: { since, reply?, waiting }
  count = { payments: 0, invoices: 0, followed: 0 };

  constructor(options) {
    check(/^(hex|hex-upper|base64|base64url)$/.test(options.signatureEncoding), 'signatureEncoding');
    check(/^(utf8|hex|base64)$/.test(options.secretKeyEncoding), 'secretKeyEncoding');
    check(typeof options.exactBytes === 'boolean', 'exactBytes');
    check(['empty', 'omit'].includes(options.absentFields), 'absentFields');
    check(/^([+-]\d\d:\d\d|any)$/.test(options.requestTimeOffset), 'requestTimeOffset');
    check(MANNERS.has(options.repeat) && MANNERS.has(options.repeatInFlight), 'repeat');
    check(['approved', 'processing'].includes(options.firstResponse), 'firstResponse');
    check([200, 'by-kind'].includes(options.refusals) || typeof options.refusals === 'object', 'refusals');
    check(['refused', 'accepted'].includes(options.uploadsBeforePayment), 'uploadsBeforePayment');
    check(Number.isInteger(options.seed), 'seed');
    this.options = options;
    this.key = Buffer.from(options.secretKey, options.secretKeyEncoding);
    this.state = options.seed;
  }

  /** Random numbers from 0 to 1, the same for the same seed (mulberry32). */
  roll() {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }

  /** The fate of the next request: of sixteen requests, one each is limited, lost and redirected. */
  nextFate() {
    if (this.options.seed === 0) return 'served';
    return ['limited', 'lost', 'moved'][Math.floor(this.roll() * 16)] ?? 'served';
  }

  /** The resultStatus of a wrong sender, or undefined. Hex is accepted in upper and lower case. */
  distrust(headers, signed, encoding) {
    if (headers['client-id'] !== this.options.clientId) return 'INVALID_CLIENT_ID';
    let given = headers['signature'] ?? '';
    let right = crypto.createHmac('sha256', this.key).update(signed).digest(encoding.replace('-upper', ''));
    if (encoding === 'hex') given = given.toLowerCase();
    if (encoding === 'hex-upper') right = right.toUpperCase();
    if (given !== right) return 'INVALID_SIGNATURE';

    const { requestTimeOffset } = this.options;
    const sent = Date.parse((headers['request-time'] ?? '').replace(' ', 'T') + requestTimeOffset);
    if (requestTimeOffset !== 'any' && !(Math.abs(sent - Date.now()) < 180_000)) return 'INVALID_REQUEST';
  }

  pay(headers, body, reply) {
    let order;
    try {
      order = JSON.parse(body);
    } catch {
      return reply('INVALID_REQUEST');
    }
    const isTaken = !this.keys.has(headers['idempotency-key']) && this.orders.has(order?.referenceId);
    if (this.options.duplicatesFirst && isTaken) return reply('DUPLICATE_REFERENCE_ID');
    const signed = this.options.exactBytes ? body : JSON.stringify(order);
    const mistrust = this.distrust(headers, signed, this.options.signatureEncoding);
    if (mistrust) return reply(mistrust);
    if (!order?.merchantId || !order.referenceId || !order.customer?.phoneNumber || !order.items?.length) {
      return reply('INVALID_REQUEST');
    }
    if (!/^[\w:-]{1,60}$/.test(order.referenceId)) return reply('INVALID_REFERENCE_ID');
    if (!(order.amount?.value >= 1)) return reply('INVALID_AMOUNT');

    const key = headers['idempotency-key'];
    const known = this.keys.get(key);
    if (known) return this.repeat(known, order, reply);
    if (this.orders.has(order.referenceId)) return reply('DUPLICATE_REFERENCE_ID');
    this.orders.set(order.referenceId, { files: 0 });
    const entry = { since: Date.now(), link: undefined, waiting: [] };
    if (key) this.keys.set(key, entry);
    this.create(order, (link) => {
      entry.link = link;
      if (this.options.firstResponse === 'processing') reply('REQUEST_PROCESSING');
      else reply('APPROVED', link);
      for (const answer of entry.waiting) answer('APPROVED', link);
    });
  }

  create(order, done) {
    setTimeout(() => {
      this.count.payments += 1;
      const paymentUrl = `https://rough.example/p/${crypto.randomBytes(9).toString('base64url')}`;
      done({ merchantId: order.merchantId, referenceId: order.referenceId, paymentUrl });
    }, this.options.workMs ?? 100); // so that a repeat can meet it in flight
  }

  repeat(known, order, reply) {
    const manner = known.link ? this.options.repeat : this.options.repeatInFlight;
    if (manner === 'duplicate') return reply('DUPLICATE_REFERENCE_ID');
    if (manner === 'invalid') return reply('INVALID_REQUEST');
    if (manner === 'processing') return reply('REQUEST_PROCESSING');
    if (manner === 'conflict') return reply(undefined, { error: 'conflict' }, 409);
    if (manner === 'another') return this.create(order, (link) => reply('APPROVED', link));
    if (manner === 'busy' && Date.now() - known.since < 1500) return reply('REQUEST_PROCESSING', {}, 422);
    if (known.link) return reply('APPROVED', known.link);
    known.waiting.push(reply);
  }

  upload(headers, body, reply) {
    const { texts, hasFile } = readForm(headers['content-type'] ?? '', body);
    const { absentFields, signatureEncoding, uploadsBeforePayment } = this.options;
    const signed = ['merchantId', 'referenceId', 'paymentTransId', 'storeId']
      .concat(['invoiceNumber', 'invoiceDate', 'description', 'extraData'])
      .filter((name) => absentFields === 'empty' || texts.has(name))
      .map((name) => `${name}=${texts.get(name) ?? ''}`);
    const encoding = signatureEncoding === 'hex-upper' ? 'hex-upper' : 'hex';
    const mistrust = this.distrust(headers, signed.join('&'), encoding);
    if (mistrust) return reply(mistrust);
    const order = this.orders.get(texts.get('referenceId'));
    if (!order || uploadsBeforePayment === 'refused') return reply('INVALID_REFERENCE_ID');
    if (!hasFile && !texts.has('fileUrl')) return reply('INVALID_REQUEST');
    if (order.files >= 3) return reply('LIMIT_EXCEEDED');
    order.files += 1;
    this.count.invoices += 1;
    const invoiceId = `INV${this.count.invoices}`;
    reply('APPROVED', {
      referenceId: texts.get('referenceId'),
      invoiceId,
      uploadedAt: new Date().toISOString(),
    });
  }

  statusFor(result) {
    const { refusals } = this.options;
    if (result === 'APPROVED' || refusals === 200) return 200;
    return refusals === 'by-kind' ? (BY_KIND.get(result) ?? 400) : (refusals[result] ?? 200);
  }
}

/** Walks from one boundary to the next. A part with a file name is the file. */
function readForm(type, body) {
  const texts = new Map();
  let hasFile = false;
  const [, boundary = ''] = /boundary="?([^";]+)/.exec(type) ?? [];
  let from = boundary ? body.indexOf(`--${boundary}\r\n`) : -1;
  while (from >= 0) {
    const blank = body.indexOf('\r\n\r\n', from);
    const end = body.indexOf(`\r\n--${boundary}`, blank + 2);
    if (blank < 0 || end < 0) break;
    const head = body.toString('utf8', from, blank);
    const [, name] = /\bname="([^"]*)"/.exec(head) ?? [];
    if (/filename=/.test(head)) hasFile = true;
    else texts.set(name, body.toString('utf8', blank + 4, end));
    from = body.indexOf(`--${boundary}\r\n`, end);
  }
  return { texts, hasFile };
}

/** Small pieces that cut characters in two. There is no Content-Length, so the encoding is chunked. */
function writeInPieces(response, status, value, encoding) {
  const text = Buffer.from(JSON.stringify(value));
  const bytes = COMPRESS.has(encoding) ? COMPRESS.get(encoding)(text) : text;
  if (bytes !== text) response.setHeader('Content-Encoding', encoding);
  response.writeHead(status, { 'Content-Type': 'text/json', Server: 'nginx', Via: '1.1 edge' });
  for (let at = 0; at < bytes.length; at += 23) response.write(bytes.subarray(at, at + 23));
  response.end();
}

let service = new Service(JSON.parse(process.argv[2]));

function handle(request, response, body) {
  const asked = service; // requests in flight belong to the old combination
  if (request.url === '/_count') return writeInPieces(response, 200, asked.count);
  if (request.url === '/_configure') {
    try {
      service = new Service(JSON.parse(body));
      return writeInPieces(response, 200, {});
    } catch (error) {
      return writeInPieces(response, 400, { error: error.message });
    }
  }
  if (request.url.startsWith('/moved/')) {
    asked.count.followed += 1;
    return writeInPieces(response, 200, {
      resultStatus: 'APPROVED',
      paymentUrl: 'https://elsewhere.example/',
    });
  }

  const fate = asked.nextFate();
  if (fate === 'limited') return response.writeHead(429, { 'Retry-After': '1' }).end('Slow down, please');
  if (fate === 'moved') return response.writeHead(307, { Location: `/moved${request.url}` }).end();
  const reply = (result, members, status = asked.statusFor(result)) => {
    if (fate === 'lost') return request.socket.destroy();
    const words = { resultStatus: result, resultMsg: result && `Đã xử lý: ${result}`, trace: { hop: 2 } };
    writeInPieces(response, status, { ...words, ...members }, asked.options.contentEncoding);
  };
  const actions = { '/v2/payments': 'pay', '/v2/payments/upload-invoice': 'upload' };
  const action = actions[request.url];
  if (!action) return reply('INVALID_API');
  if (request.method !== 'POST') return reply('INVALID_HTTP_METHOD');
  asked[action](request.headers, body, reply);
}

const server = http.createServer((request, response) => {
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', () => handle(request, response, Buffer.concat(pieces)));
});
server.listen(service.options.port, '127.0.0.1', () => console.log('listening', server.address().port));
