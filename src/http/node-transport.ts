import type { Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import https from 'node:https';
// Under another name: bundlers are told to put a createRequire of their own at the top.
import { createRequire as requireFrom } from 'node:module';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Phase } from '../errors/call-metadata.js';
import { readProperty } from '../protocol/records.js';
import { failureAt, failureOf, type TransportFailure } from './classify-failure.js';
import { decodeBody } from './decode-body.js';
import {
  BodyBuffer,
  hasNoBody,
  isChunked,
  isRedirectStatus,
  type BodyState,
  type Transport,
  type TransportResult,
  type WireRequest,
  type WireResponse,
} from './transport.js';

// An import of node:http reads each of its exports; on Node 22 and later one of them loads undici, which takes 40 ms.
// The functions are called as http.request and https.request, because interceptors replace those of the module objects.
const http = requireFrom('/')('node:http') as typeof import('node:http');

/** Servers usually close an idle connection after 5 s. It is closed earlier here, so that no request meets a closed one. */
const idleMs = 4_000;

interface Agents {
  readonly http: Agent;
  readonly https: https.Agent;
}

const agentsKey = Symbol.for('installment-payments.agents');

/** The agents that all clients of the process share, in both module formats. */
function sharedAgents(): Agents {
  const holder: { [agentsKey]?: Agents | undefined } = globalThis as object;
  const options = { keepAlive: true, timeout: idleMs };
  const agents = holder[agentsKey] ?? { http: new http.Agent(options), https: new https.Agent(options) };
  holder[agentsKey] = agents;
  return agents;
}

/** Sends by `node:http` and `node:https`, one request on the wire for each transmission. */
export function nodeTransport(agent?: Agent): Transport {
  return (request, { onStop }) =>
    new Promise((resolve) => {
      const attempt = new NodeAttempt(request, resolve);
      onStop(() => attempt.stop());
      attempt.send(agent ?? sharedAgents()[request.url.protocol === 'https:' ? 'https' : 'http']);
    });
}

/**
 * A refusal of the client's certificate under TLS 1.3. It arrives after this side's half of the handshake, but the
 * server's half did not end, so the server has not read the request. (Node does not offer later authentication.)
 */
const certificateRefused =
  /^ERR_SSL_(?:TLSV13_ALERT_CERTIFICATE_REQUIRED|TLSV1_ALERT_(?:UNKNOWN_CA|ACCESS_DENIED|DECRYPT_ERROR)|SSLV3_ALERT_(?:BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(?:REVOKED|EXPIRED|UNKNOWN)))$/;

const progressBytes = 64 * 1024;

/** A piece counts as sent once it is handed to the system; then the next one follows. */
function sendInPieces(request: ClientRequest, body: Uint8Array, onProgress: (bytes: number) => void): void {
  const sendFrom = (start: number): void => {
    const end = Math.min(start + progressBytes, body.length);
    const sent = () => {
      if (request.destroyed) return;
      onProgress(end);
      if (end < body.length) sendFrom(end);
    };
    const piece = body.subarray(start, end);
    if (end === body.length) request.end(piece, sent);
    else request.write(piece, sent);
  };
  sendFrom(0);
}

/**
 * True for a socket of Node, whose state can be trusted. The sockets of interceptors such as MSW and nock are
 * "connecting" while a handler already has the request.
 */
function isGenuine(socket: Socket): boolean {
  return socket.constructor === Socket || socket.constructor === TLSSocket;
}

/** A proxy that refuses to connect has not received the request. */
function refusedByProxy(httpStatus: number): TransportFailure {
  return refusedBefore(`the proxy answered with HTTP ${httpStatus}`);
}

function refusedBefore(description: string): TransportFailure {
  return { outcome: 'not_sent', transient: false, code: description, description };
}

/** The status of a proxy's refusal, from the error of Node's own proxy support. */
function proxyStatusOf(error: unknown): number | undefined {
  const status = readProperty(error, 'statusCode');
  return readProperty(error, 'code') === 'ERR_PROXY_TUNNEL' && typeof status === 'number'
    ? status
    : undefined;
}

/** A plain connection for https would show the request to everyone on the way. */
const withoutTls = refusedBefore('the connection of the agent has no TLS');

/** True until the connection is made and its TLS handshake has ended. */
function isConnecting(socket: Socket): boolean {
  return socket.connecting || Reflect.get(socket, 'secureConnecting') === true;
}

class NodeAttempt {
  readonly #wire: WireRequest;
  readonly #isSecure: boolean;
  readonly #settle: (result: TransportResult) => void;
  #isOver = false;
  #phase: Phase | undefined = 'connecting';
  #request: ClientRequest | undefined;
  #socket: Socket | undefined;
  #response: IncomingMessage | undefined;
  readonly #body = new BodyBuffer();

  constructor(wire: WireRequest, settle: (result: TransportResult) => void) {
    this.#wire = wire;
    this.#isSecure = wire.url.protocol === 'https:';
    this.#settle = settle;
  }

  send(agent: Agent): void {
    const { url, headers, body } = this.#wire;
    try {
      const request = (this.#isSecure ? https : http).request(url, {
        method: 'POST',
        agent,
        headers: { ...headers, 'Content-Length': body.length },
      });
      this.#request = request;
      request.on('socket', (socket) => this.#onSocket(socket));
      request.on('finish', () => this.#advance('sending', 'waiting'));
      request.on('response', (response) => this.#onResponse(response));
      // The client asked for neither: what follows on such a connection proves nothing.
      request.on('continue', () => this.#fail({ code: 'UNEXPECTED_100' }));
      request.on('upgrade', (_response, socket: Socket) => {
        socket.destroy();
        this.#fail({ code: 'UNEXPECTED_101' });
      });
      request.on('error', (error) => this.#fail(error));
      // A response has its own end. An interceptor may close the request before it.
      request.on('close', () => this.#response ?? this.#fail({ code: 'ECONNRESET' }));
    } catch (error) {
      // Refused before anything was sent: it will happen again.
      const failure = failureAt('connecting', error);
      const isWrongAgent = failure.code === 'ERR_INVALID_PROTOCOL';
      const code = isWrongAgent ? `the agent is not one for ${url.protocol.slice(0, -1)}` : failure.code;
      this.#end({ ...failure, transient: false, code });
    }
  }

  stop(): void {
    this.#end();
  }

  #advance(from: Phase, to: Phase): void {
    if (this.#phase === from) this.#phase = to;
  }

  #onSocket(socket: Socket): void {
    if (this.#socket) {
      // Deno repeats a request if a kept-alive connection is dead. One attempt is one request.
      this.#fail({ code: 'ECONNRESET' });
      return;
    }
    this.#socket = socket;
    if (!isGenuine(socket)) this.#sendIn(undefined);
    // An agent passes on the answer of its proxy over a socket that cannot be written.
    else if (!socket.writable) return;
    else if (this.#isSecure && !(socket instanceof TLSSocket)) this.#end(withoutTls);
    else if (isConnecting(socket)) {
      // Nothing is written earlier. An interceptor may emit the event while the socket is still connecting.
      socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', () =>
        this.#sendIn(isConnecting(socket) ? undefined : 'sending'),
      );
    } else this.#sendIn('sending');
  }

  #sendIn(phase: Phase | undefined): void {
    const { body, onProgress } = this.#wire;
    if (this.#isOver) return;
    this.#phase = phase;
    if (this.#request && onProgress) sendInPieces(this.#request, body, onProgress);
    else this.#request?.end(body);
  }

  #onResponse(response: IncomingMessage): void {
    // Nothing was written yet, so only a proxy can have answered, through its agent.
    if (this.#phase === 'connecting') {
      this.#end(refusedByProxy(response.statusCode ?? 0));
      return;
    }
    this.#response = response;
    this.#phase = 'receiving';
    response.on('data', (chunk: Buffer) => {
      if (!this.#body.add(chunk)) this.#end();
    });
    response.on('end', () => {
      if (!response.complete) return; // an error follows, or 'close'
      this.#advance('receiving', 'complete');
      this.#end();
    });
    response.on('error', (error) => this.#fail(error));
    response.on('close', () => this.#fail({ code: 'ECONNRESET' }));
  }

  #fail(error: unknown): void {
    const proxyStatus = proxyStatusOf(error);
    if (this.#phase === 'connecting' && proxyStatus !== undefined) {
      this.#end(refusedByProxy(proxyStatus));
      return;
    }
    if (this.#wasHandshake(error)) this.#phase = 'connecting';
    this.#end(this.#phase === undefined ? failureOf(error) : failureAt(this.#phase, error));
  }

  #wasHandshake(error: unknown): boolean {
    const socket = this.#socket;
    return (
      certificateRefused.test(String(readProperty(error, 'code'))) &&
      socket instanceof TLSSocket &&
      socket.getProtocol() === 'TLSv1.3' &&
      this.#request?.reusedSocket === false &&
      this.#response === undefined
    );
  }

  #end(failure?: TransportFailure): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const response = this.#response && this.#wireResponse(this.#response);
    this.#settle({ phase: this.#phase, response, failure });
    // An unfinished connection would keep the process alive, and cannot be used again.
    if (this.#phase !== 'complete' || !this.#request?.writableFinished) this.#request?.destroy();
  }

  #wireResponse(response: IncomingMessage): WireResponse {
    const { statusCode = 0, headers } = response;
    const retryAfter = headers['retry-after'];
    const raw = this.#body.bytes();
    const { isTooLarge } = this.#body;
    const encoding = headers['content-encoding'];
    const decoded = isTooLarge || encoding === undefined ? undefined : decodeBody(raw, encoding);
    return {
      httpStatus: statusCode,
      isRedirect: isRedirectStatus(statusCode),
      // Node joins a header that was sent twice.
      retryAfter:
        retryAfter && response.headersDistinct['retry-after']?.length === 1 ? retryAfter : undefined,
      body: decoded?.body ?? raw,
      bodyState: isTooLarge ? 'too_large' : this.#bodyState(statusCode, headers, decoded?.state),
    };
  }

  /** Under an encoding that was not asked for, nothing proves that the body is complete. */
  #bodyState(status: number, headers: IncomingHttpHeaders, decoded: BodyState | undefined): BodyState {
    if (decoded !== undefined && decoded !== 'whole') return decoded;
    if (this.#phase !== 'complete') return 'cut';
    const isFramed =
      hasNoBody(status) || headers['content-length'] !== undefined || isChunked(headers['transfer-encoding']);
    return isFramed && decoded === undefined ? 'whole' : 'ended';
  }
}
