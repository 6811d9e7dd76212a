// Called as http.request and https.request below: interceptors replace the functions of the module objects.
import http, {
  type Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import type { Phase } from '../errors/call-metadata.js';
import { failureAt, type TransportFailure } from './classify-failure.js';
import { decodeBody } from './decode-body.js';
import {
  hasNoBody,
  isRedirectStatus,
  maxResponseBytes,
  type BodyState,
  type Transmission,
  type Transport,
  type TransportResult,
  type WireRequest,
  type WireResponse,
} from './transport.js';

/** Servers usually close an idle connection after 5 s; closing it earlier keeps a request from meeting a closed one. */
const idleMs = 4_000;

interface Agents {
  readonly http: Agent;
  readonly https: https.Agent;
}

const agentsKey = Symbol.for('installment-payments.agents');

/** The agents that all clients of the process share, those of the other module format included. */
function sharedAgents(): Agents {
  const holder: { [agentsKey]?: Agents | undefined } = globalThis as object;
  const options = { keepAlive: true, timeout: idleMs };
  const agents = holder[agentsKey] ?? { http: new http.Agent(options), https: new https.Agent(options) };
  holder[agentsKey] = agents;
  return agents;
}

/** Sends by `node:http` and `node:https`, one request on the wire for each transmission. */
export function nodeTransport(agent?: Agent): Transport {
  return (request) => {
    const isSecure = request.url.protocol === 'https:';
    return new NodeTransmission(request, agent ?? sharedAgents()[isSecure ? 'https' : 'http'], isSecure);
  };
}

/**
 * A refusal of the client's certificate under TLS 1.3, which this side learns after its own half of the handshake. The
 * server's half never ended, so it has read no request. (Node's client asks for no authentication after the handshake.)
 */
const certificateRefused =
  /^ERR_SSL_(?:TLSV13_ALERT_CERTIFICATE_REQUIRED|TLSV1_ALERT_(?:UNKNOWN_CA|ACCESS_DENIED|DECRYPT_ERROR)|SSLV3_ALERT_(?:BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(?:REVOKED|EXPIRED|UNKNOWN)))$/;

const progressBytes = 64 * 1024;

/** Each piece is counted when it has been handed to the system; then the next one follows. */
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

/** True during a TLS handshake. */
function isSecuring(socket: Socket): boolean {
  return Reflect.get(socket, 'secureConnecting') === true;
}

class NodeTransmission implements Transmission {
  readonly result: Promise<TransportResult>;
  readonly #wire: WireRequest;
  readonly #isSecure: boolean;
  #settle: (result: TransportResult) => void = () => undefined;
  #isOver = false;
  #phase: Phase = 'connecting';
  #request: ClientRequest | undefined;
  #socket: Socket | undefined;
  #response: IncomingMessage | undefined;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(wire: WireRequest, agent: Agent, isSecure: boolean) {
    const { url, headers, body } = wire;
    this.#wire = wire;
    this.#isSecure = isSecure;
    this.result = new Promise((resolve) => (this.#settle = resolve));
    try {
      const request = (isSecure ? https : http).request({
        ...urlToHttpOptions(url),
        method: 'POST',
        agent,
        headers: { ...headers, 'Content-Length': body.length },
      });
      this.#request = request;
      request.on('socket', (socket) => this.#onSocket(socket));
      request.on('finish', () => this.#advance('sending', 'waiting'));
      request.on('response', (response) => this.#onResponse(response));
      // Nothing asked for either: what comes on such a connection proves nothing.
      request.on('continue', () => this.#fail({ code: 'UNEXPECTED_100' }));
      request.on('upgrade', (_response, socket: Socket) => {
        socket.destroy();
        this.#fail({ code: 'UNEXPECTED_101' });
      });
      request.on('error', (error) => this.#fail(error));
      request.on('close', () => this.#fail({ code: 'ECONNRESET' }));
    } catch (error) {
      this.#fail(error);
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
      // Deno sends a request again when a kept-alive connection has died. One attempt is one request.
      this.#fail({ code: 'ECONNRESET' });
      return;
    }
    this.#socket = socket;
    if (this.#isUsable(socket)) this.#phase = 'sending';
    else {
      socket.once(this.#isSecure ? 'secureConnect' : 'connect', () => {
        if (this.#isUsable(socket)) this.#advance('connecting', 'sending');
      });
    }
    // Only after the handshake, so that no byte of the request waits in a connection that is not secured yet.
    if (socket instanceof TLSSocket && isSecuring(socket)) socket.once('secureConnect', () => this.#send());
    else this.#send();
  }

  /** True for a socket that is connected and, under https, secured: what is written to it may arrive. */
  #isUsable(socket: Socket): boolean {
    // A connection that failed at once is destroyed before it is handed over.
    const isConnected = !socket.connecting && !socket.destroyed;
    return isConnected && (!this.#isSecure || ('encrypted' in socket && !isSecuring(socket)));
  }

  #send(): void {
    const { body, onProgress } = this.#wire;
    const request = this.#request;
    if (!request || this.#isOver) return;
    if (onProgress) sendInPieces(request, body, onProgress);
    else request.end(body);
  }

  #onResponse(response: IncomingMessage): void {
    // Over a connection that was never secured only a proxy can have answered, which an agent passes on.
    if (this.#isSecure && this.#phase === 'connecting') {
      const description = `the proxy answered with HTTP ${response.statusCode ?? 0}`;
      this.#end({ outcome: 'not_sent', transient: false, code: description, description });
      return;
    }
    this.#response = response;
    this.#phase = 'receiving';
    response.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#size += chunk.length;
      if (this.#size > maxResponseBytes) this.#end();
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
    if (this.#isOver) return;
    this.#end(failureAt(this.#wasHandshake(error) ? 'connecting' : this.#phase, error));
  }

  #wasHandshake(error: unknown): boolean {
    const socket = this.#socket;
    return (
      error instanceof Error &&
      'code' in error &&
      certificateRefused.test(String(error.code)) &&
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
    // A connection that is not at its end would hold the process, and could not be used again.
    if (this.#phase !== 'complete' || !this.#request?.writableFinished) this.#request?.destroy();
  }

  #wireResponse({ statusCode = 0, headers, headersDistinct }: IncomingMessage): WireResponse {
    const raw = this.#chunks.length === 1 && this.#chunks[0] ? this.#chunks[0] : Buffer.concat(this.#chunks);
    const isTooLarge = this.#size > maxResponseBytes;
    const encoding = headers['content-encoding'];
    const decoded = isTooLarge || encoding === undefined ? undefined : decodeBody(raw, encoding);
    return {
      httpStatus: statusCode,
      isRedirect: isRedirectStatus(statusCode),
      retryAfter: headers['retry-after'] && oneOf(headersDistinct['retry-after']),
      body: decoded?.body ?? raw,
      bodyState: isTooLarge ? 'too_large' : this.#bodyState(statusCode, headers, decoded?.state),
    };
  }

  /** Under an encoding nobody asked for, nothing proves that the bytes are all. */
  #bodyState(status: number, headers: IncomingHttpHeaders, decoded: BodyState | undefined): BodyState {
    if (decoded !== undefined && decoded !== 'whole') return decoded;
    if (this.#phase !== 'complete') return 'cut';
    const isFramed =
      hasNoBody(status) ||
      headers['content-length'] !== undefined ||
      /\bchunked$/i.test(headers['transfer-encoding'] ?? '');
    return isFramed && decoded === undefined ? 'whole' : 'ended';
  }
}

function oneOf(values: readonly string[] = []): string | undefined {
  return values.length === 1 ? values[0] : undefined;
}
