import { gzipSync } from 'node:zlib';
import type { Outcome } from '../../src/index.js';
import type { ManualRuntime } from '../helpers/runtime.js';
import { makeAuthority, makeCertificate } from './certificate.js';
import { FaultServer, type Step } from './fault-server.js';
import { approval, approved, type Caller } from './calls.js';
import * as steps from './steps.js';
import {
  bothAddressesRefuse,
  deadPort,
  failing,
  neverConnecting,
  over,
  redirectedTo,
  systemError,
  trusting,
  type Detour,
  transport,
} from './detours.js';

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

const both = (verdict: Verdict) => ({ merchant: verdict, lender: verdict });

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
  refusedUrl = `http://127.0.0.1:${String(await deadPort())}`;
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

export const faults: readonly Fault[] = [
  {
    kind: 'connection refused',
    title: 'connection refused',
    occur: () => redirectedTo(refusedUrl),
    ...both(N),
  },
  {
    kind: 'connection refused',
    title: 'every address of the name refuses',
    occur: () => failing(twoAddresses),
    ...both(N),
  },
  {
    kind: 'connection refused',
    title: 'one address refuses and the other breaks later',
    occur: () =>
      failing(
        new AggregateError([systemError('ECONNREFUSED', 'connect'), systemError('ECONNRESET', 'read')]),
      ),
    // Without a connection, the default transport knows that nothing was sent.
    ...both(over({ node: N, fetch: U })),
  },
  {
    // A label of more than 63 characters is refused by the resolver itself: nothing leaves this machine.
    kind: 'name not found',
    title: 'name not found',
    occur: () => redirectedTo(`https://${'a'.repeat(64)}.test`),
    ...both(N),
  },
  {
    kind: 'name not found',
    title: 'the resolver fails',
    occur: () => failing(systemError('EAI_AGAIN', 'getaddrinfo')),
    ...both(N),
  },
  {
    kind: 'connect time-out',
    title: 'connect time-out reported by the transport',
    occur: () => failing(systemError('UND_ERR_CONNECT_TIMEOUT')),
    ...both(N),
  },
  {
    kind: 'connect time-out',
    title: 'our own limit ends while connecting',
    occur: (runtime) =>
      neverConnecting(() => {
        runtime.advance(15_000);
      }),
    ...both(over({ node: { ...N, code: 'TIMEOUT' }, fetch: timeout })),
  },
  {
    kind: 'reset while connecting',
    title: 'reset while connecting',
    occur: () => failing(systemError('ECONNRESET', 'connect')),
    ...both(N),
  },
  {
    kind: 'certificate',
    title: 'self-signed certificate',
    isSecure: true,
    occur: () => redirectedTo(tlsUrls['self-signed'] ?? ''),
    ...both(badCertificate),
  },
  {
    kind: 'certificate',
    title: 'certificate of an authority that nobody knows',
    isSecure: true,
    occur: () => redirectedTo(tlsUrls['good'] ?? ''),
    ...both(badCertificate),
  },
  {
    kind: 'certificate',
    title: 'expired certificate',
    isSecure: true,
    occur: tlsDetour('expired'),
    ...both(badCertificate),
  },
  {
    kind: 'certificate',
    title: 'certificate of another host',
    isSecure: true,
    occur: tlsDetour('other host'),
    ...both(badCertificate),
  },
  {
    kind: 'certificate',
    title: 'wrong TLS version',
    isSecure: true,
    occur: () => redirectedTo(tlsUrls['old version'] ?? ''),
    ...both(badCertificate),
  },
  {
    kind: 'certificate',
    title: 'a good certificate',
    isSecure: true,
    occur: tlsDetour('good'),
    ...both(accepted),
  },
  {
    kind: 'certificate',
    title: 'bytes that are not TLS, which can come after the request too',
    occur: () => failing(systemError('ERR_SSL_WRONG_VERSION_NUMBER')),
    ...both(over({ node: badCertificate, fetch: U })),
  },
  {
    kind: 'TLS handshake',
    title: 'reset during the TLS handshake',
    isSecure: true,
    occur: () => redirectedTo(handshakes['reset'] ?? ''),
    ...both(over({ node: N, fetch: U })),
  },
  {
    kind: 'TLS handshake',
    title: 'close during the TLS handshake',
    isSecure: true,
    occur: () => redirectedTo(handshakes['close'] ?? ''),
    ...both(over({ node: N, fetch: U })),
  },
  {
    kind: 'TLS handshake',
    title: 'a TLS handshake that stalls',
    isSecure: true,
    occur: (runtime) => {
      stalledHandshake = () => {
        runtime.advance(15_000);
      };
      return redirectedTo(handshakes['stall'] ?? '');
    },
    ...both(over({ node: { ...N, code: 'TIMEOUT' }, fetch: timeout })),
  },
  {
    kind: 'reset after the request',
    title: 'reset after the request was written',
    occur: () => steps.reset,
    ...both(U),
  },
  {
    kind: 'close without an answer',
    title: 'orderly close without an answer',
    occur: () => steps.close,
    ...both(U),
  },
  {
    kind: 'silence',
    title: 'nothing before the headers, ever',
    occur: (runtime) =>
      steps.stall(() => {
        runtime.advance(15_000);
      }),
    ...both(timeout),
  },
  {
    kind: 'stalled body',
    title: 'headers, then a body that stalls',
    occur: (runtime) =>
      steps.stall(() => {
        runtime.advance(15_000);
      }, 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"resultStatus":'),
    ...both(timeout),
  },
  {
    kind: 'reset in the body',
    title: 'reset in the middle of the body',
    occur: () => steps.cutByLength(half, 'reset'),
    ...both(U),
  },
  {
    kind: 'body cut short',
    title: 'body cut short by length',
    occur: () => steps.cutByLength(half),
    ...both(U),
  },
  {
    kind: 'body cut short',
    title: 'body cut short in chunks',
    occur: () => steps.cutInChunks(half),
    ...both(U),
  },
  {
    kind: 'body cut short',
    title: 'body cut short by length, under a 400',
    occur: () => steps.cutByLength(half, 'end', 400),
    ...both(U),
  },
  {
    kind: 'body cut short',
    title: 'body cut short by close',
    occur: () => steps.cutByClose(half),
    merchant: unusable,
    lender: accepted,
  },
  {
    kind: 'body cut short',
    title: 'body cut short by close, under a 400',
    occur: () => steps.cutByClose(half, 400),
    ...both(unusable),
  },
  ...encodings.flatMap((encoding) => [
    {
      kind: 'body cut short',
      title: `body cut short inside ${encoding}`,
      occur: () => steps.cutInEncoding(approvalText, encoding),
      merchant: unusable,
      // A fetch decodes by itself and cannot tell a cut from an end; the status acknowledges.
      lender: transport === 'fetch' ? accepted : unusable,
    },
    // A refusal by status alone may be the rest of any answer.
    ...[400, 404, 429].flatMap((status) =>
      [0, 0.1, 0.5, 0.9].map((share) => ({
        kind: 'body cut short',
        title: `body cut short inside ${encoding} after ${String(share * 100)} %, under a ${String(status)}`,
        occur: () => steps.cutInEncoding(approvalText, encoding, status, share),
        ...both(unusable),
      })),
    ),
    {
      kind: 'body cut short',
      title: `a whole answer in ${encoding}`,
      occur: () => steps.inEncoding(approvalText, encoding),
      ...both(accepted),
    },
  ]),
  {
    kind: 'body cut short',
    title: 'body cut short by close, under a 429',
    occur: () => steps.cutByClose(half, 429),
    ...both(unusable),
  },
  {
    kind: 'body cut short',
    title: 'whole JSON, then cut short by length',
    occur: () => steps.cutByLength(approvalText),
    ...both(accepted),
  },
  {
    kind: 'body cut short',
    title: 'whole JSON, then cut short in chunks',
    occur: () => steps.cutInChunks(approvalText),
    ...both(accepted),
  },
  {
    kind: 'interim answer',
    title: 'an interim 103, then the answer',
    occur: () => steps.raw(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${wholeAnswer}`),
    ...both(accepted),
  },
  {
    kind: 'interim answer',
    title: 'a stray 100',
    occur: () => steps.raw(`HTTP/1.1 100 Continue\r\n\r\n${wholeAnswer}`),
    ...both(U),
  },
  {
    kind: 'interim answer',
    title: 'a 101',
    occur: () => steps.raw('HTTP/1.1 101 Switching\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n'),
    ...both(U),
  },
  ...[301, 302, 303, 307, 308].map((code) => ({
    kind: 'redirect',
    title: `a ${String(code)} to the same origin`,
    occur: () => steps.answer({ status: code, headers: [['Location', '/elsewhere']] }),
    ...both(final),
  })),
  {
    kind: 'empty success',
    title: '204',
    occur: () => steps.raw('HTTP/1.1 204 No Content\r\n\r\n'),
    merchant: unusable,
    lender: accepted,
  },
  {
    kind: 'empty success',
    title: '200 with an empty body',
    occur: () => steps.answer({}),
    merchant: unusable,
    lender: accepted,
  },
  ...[502, 503, 504].map((code) => ({
    kind: 'HTML of a gateway',
    title: `HTML with ${String(code)}`,
    occur: () => steps.html(code),
    ...both(unusable),
  })),
  {
    kind: 'HTML of a gateway',
    title: 'HTML with 200',
    occur: () => steps.html(200),
    merchant: unusable,
    lender: accepted,
  },
  ...[403, 404, 413].map((code) => ({
    kind: 'HTML under 4xx',
    title: `HTML with ${String(code)}`,
    occur: () => steps.html(code),
    merchant: refused,
    lender: notificationRejected,
  })),
  ...[408, 409, 425].map((code) => ({
    kind: 'HTML under 4xx',
    title: `HTML with ${String(code)}, which decides nothing`,
    occur: () => steps.html(code),
    ...both(unusable),
  })),
  ...(['length', 'chunks'] as const).map((framing) => ({
    kind: 'HTML under 4xx',
    title: `an empty 404 that ends by its ${framing}`,
    occur: () => steps.emptyAnswer(404, framing),
    merchant: refused,
    lender: notificationRejected,
  })),
  ...(['close', ...encodings] as const).map((framing) => ({
    kind: 'HTML under 4xx',
    title: `an empty 404 that ends by close or is encoded: ${framing}`,
    occur: () => steps.emptyAnswer(404, framing),
    ...both(unusable),
  })),
  {
    kind: 'wrong content type',
    title: 'JSON under a wrong content type',
    occur: () => steps.answer({ headers: [['Content-Type', 'text/html']], body: approvalText }),
    ...both(accepted),
  },
  {
    kind: 'wrong content type',
    title: 'JSON under no content type',
    occur: () => steps.answer({ body: approvalText }),
    ...both(accepted),
  },
  {
    kind: 'too large',
    title: 'gzip that unpacks to 50 MB',
    occur: () => steps.gzipBomb,
    merchant: unusable,
    lender: accepted,
  },
  {
    kind: 'broken headers',
    title: 'a header block over 16 kB',
    occur: () => steps.answer({ headers: [['X-Long', 'a'.repeat(17_000)]], body: approvalText }),
    ...both(U),
  },
  {
    kind: 'broken headers',
    title: 'two different Content-Length',
    occur: () =>
      steps.raw(`HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n${approvalText}`),
    ...both(U),
  },
  {
    kind: 'encoding of the text',
    title: 'invalid UTF-8',
    occur: () => steps.answer({ body: Buffer.from(`${approvalText.slice(0, -1)},"x":"\xff"}`, 'latin1') }),
    merchant: unusable,
    lender: accepted,
  },
  {
    kind: 'encoding of the text',
    title: 'a byte order mark',
    occur: () => steps.answer({ body: `\ufeff${approvalText}` }),
    ...both(accepted),
  },
  ...[
    { form: 'in UTF-16', body: Buffer.from(approvalText, 'utf16le') },
    { form: 'in an array', body: `[${approvalText}]` },
    { form: 'in a JSON text', body: JSON.stringify(approvalText) },
    { form: 'in gzip that no header names', body: gzipSync(approvalText) },
  ].map(({ form, body }) => ({
    kind: 'answer that cannot be read',
    title: `a 400 that says resultStatus ${form}`,
    occur: () => steps.answer({ status: 400, body }),
    merchant: final,
    lender: notificationRejected,
  })),
  {
    kind: 'answer that cannot be read',
    title: 'the page of a gateway in Latin-1, under a 403',
    occur: () => steps.answer({ status: 403, body: Buffer.from('<html>Truy c\xe2p</html>', 'latin1') }),
    merchant: refused,
    lender: notificationRejected,
  },
  { kind: 'resultStatus', title: 'no resultStatus', occur: status(undefined), merchant: final },
  { kind: 'resultStatus', title: 'a number as resultStatus', occur: status(200), merchant: final },
  {
    kind: 'resultStatus',
    title: 'a resultStatus in lower case',
    occur: status('approved'),
    merchant: { ...final, code: 'UNKNOWN_RESULT' },
  },
  {
    kind: 'resultStatus',
    title: 'an unknown resultStatus',
    occur: status('ON_HOLD'),
    merchant: { ...final, code: 'UNKNOWN_RESULT' },
  },
  {
    kind: 'another order',
    title: 'APPROVED for another referenceId',
    occur: status('APPROVED', { referenceId: 'OTHER' }),
    merchant: final,
  },
  ...[407, 417, 421].map((code) => ({
    kind: 'HTTP status of a result',
    title: `a documented resultStatus under ${String(code)}`,
    occur: () => steps.json({ ...approval, resultStatus: 'INVALID_AMOUNT' }, { status: code }),
    // The built-in fetch hides the answer under 407.
    merchant:
      code === 407
        ? over({ node: { ...refused, code: 'INVALID_AMOUNT' }, fetch: U })
        : { ...refused, code: 'INVALID_AMOUNT' },
    lender: code === 417 ? notificationRejected : code === 407 ? over({ node: final, fetch: U }) : final,
  })),
  ...['Content-Length: 10000', 'Transfer-Encoding: chunked'].map((framing) => ({
    kind: 'HTTP status of a result',
    title: `whole JSON whose end never comes (${framing})`,
    occur: (runtime: ManualRuntime) => {
      const size = Buffer.byteLength(approvalText).toString(16);
      const body = framing.endsWith('chunked') ? `${size}\r\n${approvalText}` : approvalText;
      return steps.stall(() => {
        setImmediate(() => {
          runtime.advance(15_000);
        });
      }, `HTTP/1.1 200 OK\r\n${framing}\r\n\r\n${body}`);
    },
    ...both(accepted),
  })),
  ...['REQUEST_PROCESSING', 'DOWNSTREAM_ERROR'].map((code) => ({
    kind: 'transient resultStatus',
    title: code,
    occur: status(code),
    merchant: { ...U, code },
  })),
];

export function isRetried({ retried }: Verdict, { idempotent }: Caller): boolean {
  return retried === 'always' || (retried === 'if idempotent' && idempotent);
}

/** The outcome of a call: what may have happened outweighs what is certain. */
export function worst(outcomes: readonly Outcome[]): Outcome {
  return (
    (['unknown', 'rejected', 'not_sent'] as const).find((outcome) => outcomes.includes(outcome)) ?? 'accepted'
  );
}
