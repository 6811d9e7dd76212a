import { gzipSync } from 'node:zlib';
import type { Outcome } from '../../src/entries/index.js';
import type { ManualRuntime } from '../helpers/runtime.js';
import { makeAuthority, makeCertificate } from './certificate.js';
import { FaultServer, type Step } from './fault-server.js';
import { approval, approved, type Caller } from './calls.js';
import * as steps from './steps.js';
import {
  bothAddressesRefuse,
  failing,
  neverConnecting,
  over,
  redirectedTo,
  systemError,
  trusting,
  type Detour,
} from './detours.js';
import { freePort } from '../helpers/free-port.js';

/** The client's view of a fault. */
export interface Verdict {
  readonly outcome: Outcome;
  /** Whether an operation that may be repeated is repeated, whether every operation is, or none. */
  readonly retried: 'if idempotent' | 'always' | 'never';
  /** The `code` of the error that a call ends with. */
  readonly code?: string;
}

export interface Fault {
  /** Faults that the client meets in the same way. */
  readonly kind: string;
  readonly title: string;
  /** The fault itself: a step of the server, or a detour for what no server can do. */
  readonly occur: (runtime: ManualRuntime) => Step | Detour;
  /** Over the default transport the whole call is made over TLS. */
  readonly isSecure?: boolean;
  /** The result of a merchant's operation. */
  readonly merchant: Verdict;
  /** The result of a lender's notification, for which any 2xx is an acknowledgement. Absent where it cannot apply. */
  readonly lender?: Verdict;
}

const connection = 'CONNECTION';
const unexpected = 'UNEXPECTED_RESPONSE';
const N: Verdict = { outcome: 'not_sent', retried: 'always', code: connection };
const U: Verdict = { outcome: 'unknown', retried: 'if idempotent', code: connection };
const unusable = { ...U, code: unexpected } as const;
const timeout: Verdict = { ...U, code: 'TIMEOUT' };
const final = { outcome: 'unknown', retried: 'never', code: unexpected } as const;
const refused = { outcome: 'rejected', retried: 'never', code: unexpected } as const;
const notificationRejected = { ...refused, code: 'NOTIFICATION_REJECTED' } as const;
const accepted = { outcome: 'accepted', retried: 'never' } as const;
const badCertificate: Verdict = { outcome: 'not_sent', retried: 'never', code: connection };

const approvalText = JSON.stringify(approval);
const encodings = ['gzip', 'br', 'deflate'] as const;
const half = approvalText.slice(0, approvalText.length / 2);
const authority = makeAuthority();
const hourAgo = new Date(Date.now() - 3_600_000);

const servers: FaultServer[] = [];
let refusedUrl = '';
let twoAddresses = new Error('not made yet');
const tlsUrls: Record<string, string> = {};

async function tlsServer(name: string, options: Parameters<typeof FaultServer.start>[1]): Promise<void> {
  const server = await FaultServer.start([approved], options);
  servers.push(server);
  tlsUrls[name] = server.url;
}

/** Starts what has to exist before a fault can be described. */
export async function startFaults(): Promise<void> {
  refusedUrl = `http://127.0.0.1:${String(await freePort())}`;
  twoAddresses = await bothAddressesRefuse();
  const host = '127.0.0.1';
  const good = makeCertificate({ host, issuer: authority });
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  await tlsServer('good', { tls: good });
  await tlsServer('self-signed', { tls: makeCertificate({ host }) });
  await tlsServer('expired', { tls: makeCertificate({ host, issuer: authority, notAfter: hourAgo }) });
  await tlsServer('other host', { tls: makeCertificate({ host: 'other.example', issuer: authority }) });
  await handshakeServer('reset', (socket) => socket.resetAndDestroy());
  await handshakeServer('close', (socket) => socket.end());
  await handshakeServer('stall', () => {
    stalledHandshake();
  });
  // Bun has no such old version to serve.
  if (process.versions['bun'] === undefined) await tlsServer('old version', { tls: { ...good, ...old } });
}

export async function stopFaults(): Promise<void> {
  await Promise.all(servers.map((server) => server.close()));
}

const tlsDetour =
  (name: string): (() => Detour) =>
  () =>
    trusting(authority.cert, tlsUrls[name] ?? '');

/** The certificate under which calls over TLS are made. */
export const secure = { ...makeCertificate({ host: '127.0.0.1', issuer: authority }), ca: authority.cert };

/** The course of the handshake of a client, once its first bytes are there. */
function inHandshake(act: Step['act']): Step {
  return { at: 'connection', act: (socket, request) => socket.once('data', () => act(socket, request)) };
}

const handshakes: Record<string, string> = {};
let stalledHandshake: () => void = () => undefined;

async function handshakeServer(name: string, act: Step['act']): Promise<void> {
  const server = await FaultServer.start([inHandshake(act)]);
  servers.push(server);
  handshakes[name] = server.url.replace('http:', 'https:');
}

const wholeAnswer = `HTTP/1.1 200 OK\r\nContent-Length: ${String(Buffer.byteLength(approvalText))}\r\n\r\n${approvalText}`;

function status(resultStatus: unknown, changes: Readonly<Record<string, unknown>> = {}): () => Step {
  return () => steps.json({ ...approval, resultStatus, ...changes });
}

type Row = Omit<Fault, 'kind'>;

/** A fault that both sides meet alike, unless the lender's verdict is another. */
function row(title: string, occur: Fault['occur'], merchant: Verdict, lender = merchant): Row {
  return { title, occur, merchant, lender };
}

/** A fault of the results that only merchants have. */
const resultRow = (title: string, occur: Fault['occur'], merchant: Verdict): Row => ({
  title,
  occur,
  merchant,
});

/** A fault of a call that is made over TLS. */
const secureRow = (...given: Parameters<typeof row>): Row => ({ ...row(...given), isSecure: true });

/** The limit of an attempt ends once the server has said this, and nothing more. */
const stalledAfter = (said?: string) => (runtime: ManualRuntime) =>
  steps.stall(() => {
    runtime.advance(15_000);
  }, said);

const rows: Readonly<Record<string, readonly Row[]>> = {
  'connection refused': [
    row('connection refused', () => redirectedTo(refusedUrl), N),
    row('every address of the name refuses', () => failing(twoAddresses), N),
    row(
      'one address refuses and the other breaks later',
      () =>
        failing(
          new AggregateError([systemError('ECONNREFUSED', 'connect'), systemError('ECONNRESET', 'read')]),
        ),
      // Without a connection, the default transport knows that nothing was sent.
      over({ node: N, fetch: U }),
    ),
  ],
  'name not found': [
    // A label of more than 63 characters is refused by the resolver itself: nothing leaves this machine.
    row('name not found', () => redirectedTo(`https://${'a'.repeat(64)}.test`), N),
    row('the resolver fails', () => failing(systemError('EAI_AGAIN', 'getaddrinfo')), N),
  ],
  'connect time-out': [
    row(
      'connect time-out reported by the transport',
      () => failing(systemError('UND_ERR_CONNECT_TIMEOUT')),
      N,
    ),
    row(
      'our own limit ends while connecting',
      (runtime) =>
        neverConnecting(() => {
          runtime.advance(15_000);
        }),
      over({ node: { ...N, code: 'TIMEOUT' }, fetch: timeout }),
    ),
  ],
  'reset while connecting': [
    row('reset while connecting', () => failing(systemError('ECONNRESET', 'connect')), N),
  ],
  certificate: [
    secureRow('self-signed certificate', () => redirectedTo(tlsUrls['self-signed'] ?? ''), badCertificate),
    secureRow(
      'certificate of an authority that nobody knows',
      () => redirectedTo(tlsUrls['good'] ?? ''),
      badCertificate,
    ),
    secureRow('expired certificate', tlsDetour('expired'), badCertificate),
    secureRow('certificate of another host', tlsDetour('other host'), badCertificate),
    secureRow('wrong TLS version', () => redirectedTo(tlsUrls['old version'] ?? ''), badCertificate),
    secureRow('a good certificate', tlsDetour('good'), accepted),
    row(
      'bytes that are not TLS, which can come after the request too',
      () => failing(systemError('ERR_SSL_WRONG_VERSION_NUMBER')),
      over({ node: badCertificate, fetch: U }),
    ),
  ],
  'TLS handshake': [
    secureRow(
      'reset during the TLS handshake',
      () => redirectedTo(handshakes['reset'] ?? ''),
      over({ node: N, fetch: U }),
    ),
    secureRow(
      'close during the TLS handshake',
      () => redirectedTo(handshakes['close'] ?? ''),
      over({ node: N, fetch: U }),
    ),
    secureRow(
      'a TLS handshake that stalls',
      (runtime) => {
        stalledHandshake = () => {
          runtime.advance(15_000);
        };
        return redirectedTo(handshakes['stall'] ?? '');
      },
      over({ node: { ...N, code: 'TIMEOUT' }, fetch: timeout }),
    ),
  ],
  'reset after the request': [row('reset after the request was written', () => steps.reset, U)],
  'close without an answer': [row('orderly close without an answer', () => steps.close, U)],
  silence: [row('nothing before the headers, ever', stalledAfter(), timeout)],
  'stalled body': [
    row(
      'headers, then a body that stalls',
      stalledAfter('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"resultStatus":'),
      timeout,
    ),
  ],
  'reset in the body': [row('reset in the middle of the body', () => steps.cutByLength(half, 'reset'), U)],
  'body cut short': [
    row('body cut short by length', () => steps.cutByLength(half), U),
    row('body cut short in chunks', () => steps.cutInChunks(half), U),
    row('body cut short by length, under a 400', () => steps.cutByLength(half, 'end', 400), U),
    row('body cut short by close', () => steps.cutByClose(half), unusable, accepted),
    row('body cut short by close, under a 400', () => steps.cutByClose(half, 400), unusable),
    ...encodings.flatMap((encoding) => [
      row(
        `body cut short inside ${encoding}`,
        () => steps.cutInEncoding(approvalText, encoding),
        unusable,
        // A fetch decodes by itself and cannot tell a cut from an end; the status acknowledges.
        over<Verdict>({ node: unusable, fetch: accepted }),
      ),
      // A refusal by status alone may be the rest of any answer.
      ...[400, 404, 429].flatMap((status) =>
        [0, 0.1, 0.5, 0.9].map((share) =>
          row(
            `body cut short inside ${encoding} after ${String(share * 100)} %, under a ${String(status)}`,
            () => steps.cutInEncoding(approvalText, encoding, status, share),
            unusable,
          ),
        ),
      ),
      row(`a whole answer in ${encoding}`, () => steps.inEncoding(approvalText, encoding), accepted),
    ]),
    row('body cut short by close, under a 429', () => steps.cutByClose(half, 429), unusable),
    row('whole JSON, then cut short by length', () => steps.cutByLength(approvalText), accepted),
    row('whole JSON, then cut short in chunks', () => steps.cutInChunks(approvalText), accepted),
  ],
  'interim answer': [
    row(
      'an interim 103, then the answer',
      () => steps.raw(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${wholeAnswer}`),
      accepted,
    ),
    row('a stray 100', () => steps.raw(`HTTP/1.1 100 Continue\r\n\r\n${wholeAnswer}`), U),
    row(
      'a 101',
      () => steps.raw('HTTP/1.1 101 Switching\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n'),
      U,
    ),
  ],
  redirect: [301, 302, 303, 307, 308].map((code) =>
    row(
      `a ${String(code)} to the same origin`,
      () => steps.answer({ status: code, headers: [['Location', '/elsewhere']] }),
      final,
    ),
  ),
  'empty success': [
    row('204', () => steps.raw('HTTP/1.1 204 No Content\r\n\r\n'), unusable, accepted),
    row('200 with an empty body', () => steps.answer({}), unusable, accepted),
  ],
  'HTML of a gateway': [
    ...[502, 503, 504].map((code) => row(`HTML with ${String(code)}`, () => steps.html(code), unusable)),
    row('HTML with 200', () => steps.html(200), unusable, accepted),
  ],
  'HTML under 4xx': [
    ...[403, 404, 413].map((code) =>
      row(`HTML with ${String(code)}`, () => steps.html(code), refused, notificationRejected),
    ),
    ...[408, 409, 425].map((code) =>
      row(`HTML with ${String(code)}, which decides nothing`, () => steps.html(code), unusable),
    ),
    ...(['length', 'chunks'] as const).map((framing) =>
      row(
        `an empty 404 that ends by its ${framing}`,
        () => steps.emptyAnswer(404, framing),
        refused,
        notificationRejected,
      ),
    ),
    ...(['close', ...encodings] as const).map((framing) =>
      row(
        `an empty 404 that ends by close or is encoded: ${framing}`,
        () => steps.emptyAnswer(404, framing),
        unusable,
      ),
    ),
  ],
  'wrong content type': [
    row(
      'JSON under a wrong content type',
      () => steps.answer({ headers: [['Content-Type', 'text/html']], body: approvalText }),
      accepted,
    ),
    row('JSON under no content type', () => steps.answer({ body: approvalText }), accepted),
  ],
  'too large': [row('gzip that unpacks to 50 MB', () => steps.gzipBomb, unusable, accepted)],
  'broken headers': [
    row(
      'a header block over 16 kB',
      () => steps.answer({ headers: [['X-Long', 'a'.repeat(17_000)]], body: approvalText }),
      U,
    ),
    row(
      'two different Content-Length',
      () => steps.raw(`HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n${approvalText}`),
      U,
    ),
  ],
  'encoding of the text': [
    row(
      'invalid UTF-8',
      () => steps.answer({ body: Buffer.from(`${approvalText.slice(0, -1)},"x":"\xff"}`, 'latin1') }),
      unusable,
      accepted,
    ),
    row('a byte order mark', () => steps.answer({ body: `\ufeff${approvalText}` }), accepted),
  ],
  'answer that cannot be read': [
    ...[
      { form: 'in UTF-16', body: Buffer.from(approvalText, 'utf16le') },
      { form: 'in an array', body: `[${approvalText}]` },
      { form: 'in a JSON text', body: JSON.stringify(approvalText) },
      { form: 'in gzip that no header names', body: gzipSync(approvalText) },
      { form: 'as result_status', body: '{"result_status":"INVALID_AMOUNT"}' },
      { form: 'as the code of an error', body: '{"error":{"code":"APPROVED"}}' },
    ].map(({ form, body }) =>
      row(
        `a 400 that says resultStatus ${form}`,
        () => steps.answer({ status: 400, body }),
        final,
        notificationRejected,
      ),
    ),
    row(
      'the page of a gateway in Latin-1, under a 403',
      () => steps.answer({ status: 403, body: Buffer.from('<html>Truy c\xe2p</html>', 'latin1') }),
      refused,
      notificationRejected,
    ),
  ],
  resultStatus: [
    resultRow('no resultStatus', status(undefined), final),
    resultRow('a number as resultStatus', status(200), final),
    resultRow('a resultStatus in lower case', status('approved'), { ...final, code: 'UNKNOWN_RESULT' }),
    resultRow('an unknown resultStatus', status('ON_HOLD'), { ...final, code: 'UNKNOWN_RESULT' }),
  ],
  'another order': [
    resultRow('APPROVED for another referenceId', status('APPROVED', { referenceId: 'OTHER' }), final),
  ],
  'HTTP status of a result': [
    ...[417, 421].map((code) =>
      row(
        `a documented resultStatus under ${String(code)}`,
        () => steps.json({ ...approval, resultStatus: 'INVALID_AMOUNT' }, { status: code }),
        { ...refused, code: 'INVALID_AMOUNT' },
        code === 417 ? notificationRejected : final,
      ),
    ),
    row(
      'a documented resultStatus under 407',
      () => steps.json({ ...approval, resultStatus: 'INVALID_AMOUNT' }, { status: 407 }),
      // The built-in fetch hides the answer under 407.
      over({ node: { ...refused, code: 'INVALID_AMOUNT' }, fetch: U }),
      over({ node: final, fetch: U }),
    ),
    ...['Content-Length: 10000', 'Transfer-Encoding: chunked'].map((framing) =>
      row(
        `whole JSON whose end never comes (${framing})`,
        (runtime) => {
          const size = Buffer.byteLength(approvalText).toString(16);
          const body = framing.endsWith('chunked') ? `${size}\r\n${approvalText}` : approvalText;
          return steps.stall(() => {
            setImmediate(() => {
              runtime.advance(15_000);
            });
          }, `HTTP/1.1 200 OK\r\n${framing}\r\n\r\n${body}`);
        },
        accepted,
      ),
    ),
  ],
  'transient resultStatus': ['REQUEST_PROCESSING', 'DOWNSTREAM_ERROR'].map((code) =>
    resultRow(code, status(code), { ...U, code }),
  ),
};

export const faults: readonly Fault[] = Object.entries(rows).flatMap(([kind, ofKind]) =>
  ofKind.map((each) => ({ kind, ...each })),
);

export function isRetried({ retried }: Verdict, { idempotent }: Caller): boolean {
  return retried === 'always' || (retried === 'if idempotent' && idempotent);
}

/** The outcome of a call: what may have happened outweighs what is certain. */
export function worst(outcomes: readonly Outcome[]): Outcome {
  return (
    (['unknown', 'rejected', 'not_sent'] as const).find((outcome) => outcomes.includes(outcome)) ?? 'accepted'
  );
}
