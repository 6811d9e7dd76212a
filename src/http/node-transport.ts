import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Phase } from '../errors/call-metadata.js';
import { agentFor, recordIdle, hasReceived, isStale } from './agents.js';
import { classifyFailure, type TransportFailure } from './classify-failure.js';
import { afterReading, isConnecting, isNodeSocket, isTls, whenConnected } from './connecting.js';
import { decodeBody } from './decode-body.js';
import { unusedProxyHint } from './environment-proxy.js';
import { nodeModules } from './node-modules.js';
import {
  BodyBuffer,
  headerOf,
  isRedirectStatus,
  responseOf,
  type SendOptions,
  type Transport,
  type TransportResult,
  type WireRequest,
  type WireResponse,
} from './transport.js';

/**
 * The result of a request, or `'stale'` if the agent chose an idle connection that cannot be used. In that case,
 * nothing was sent.
 */
type ResultOrStale = TransportResult | 'stale';

/** Creates a transport that uses `node:http` and `node:https`, with the given agent or the shared agents. */
export function nodeTransport(agent?: Agent): Transport {
  return async (wire, options) => {
    for (;;) {
      const result = await new Promise<ResultOrStale>((resolve) => {
        new NodeAttempt(wire, options, agent, resolve).send();
      });
      if (result !== 'stale') return result;
    }
  };
}

const progressBytes = 64 * 1024;

/** Writes a body in pieces. A piece counts as sent once the operating system has it. Then the next piece is written. */
function sendInPieces(
  request: ClientRequest,
  body: Uint8Array,
  onProgress: NonNullable<WireRequest['onProgress']>,
): void {
  const sendFrom = (start: number): void => {
    const end = Math.min(start + progressBytes, body.length);
    const onSent = () => {
      if (request.destroyed) return;
      onProgress(end, body.length);
      if (end < body.length) sendFrom(end);
    };
    const piece = body.subarray(start, end);
    if (end === body.length) request.end(piece, onSent);
    else request.write(piece, onSent);
  };
  sendFrom(0);
}

function refusedBeforeSending(reason: string): TransportFailure {
  return { outcome: 'not_sent', transient: false, code: reason, summary: reason };
}

class NodeAttempt {
  readonly #wire: WireRequest;
  readonly #options: SendOptions;
  readonly #agent: Agent | undefined;
  readonly #resolve: (result: ResultOrStale) => void;
  #isOver = false;
  #phase: Phase | undefined = 'connecting';
  #request: ClientRequest | undefined;
  #socket: Socket | undefined;
  #response: IncomingMessage | undefined;
  readonly #body = new BodyBuffer();

  constructor(
    wire: WireRequest,
    options: SendOptions,
    agent: Agent | undefined,
    resolve: (result: ResultOrStale) => void,
  ) {
    this.#wire = wire;
    this.#options = options;
    this.#agent = agent;
    this.#resolve = resolve;
  }

  get #isSecure(): boolean {
    return this.#wire.url.protocol === 'https:';
  }

  send(): void {
    const { method, url, headers, body } = this.#wire;
    this.#options.registerStop(() => this.#end());
    if (this.#isOver) return;
    try {
      // The calls go through the module objects, because interceptors, such as nock, replace the functions there.
      const { http, https } = nodeModules();
      const request = (this.#isSecure ? https : http).request(url, {
        method,
        agent: this.#agent ?? agentFor(url, this.#options.isFresh),
        headers: body ? { ...headers, 'Content-Length': body.length } : headers,
      });
      this.#request = request;
      request.on('socket', (socket) => this.#onSocket(socket));
      request.on('finish', () => this.#advance('sending', 'waiting'));
      request.on('response', (response) => this.#onResponse(response));
      // The client asked for neither HTTP 100 nor HTTP 101, so whatever follows such a response is not reliable.
      request.on('continue', () => this.#fail({ code: 'UNEXPECTED_100' }));
      request.on('upgrade', (_response, socket: Socket) => {
        socket.destroy();
        this.#fail({ code: 'UNEXPECTED_101' });
      });
      request.on('error', (error) => this.#fail(error));
      // If there is a response, the events of the response decide, because an interceptor can close the request before
      // the response is complete.
      request.on('close', () => {
        if (!this.#response) this.#fail({ code: 'ECONNRESET' });
      });
    } catch (error) {
      // Node refuses wrong arguments before it connects, and would refuse them again.
      const failure = classifyFailure(error, 'connecting');
      const isWrongAgent = failure.code === 'ERR_INVALID_PROTOCOL';
      const code = isWrongAgent ? `the agent is not an agent for ${url.protocol.slice(0, -1)}` : failure.code;
      this.#end({ ...failure, transient: !failure.code.startsWith('ERR_'), code });
    }
  }

  #advance(from: Phase, to: Phase): void {
    if (this.#phase === from) this.#phase = to;
  }

  #onSocket(socket: Socket): void {
    if (this.#socket) {
      // This is a second socket: Deno repeats a request after a dead idle connection. An attempt must be one request.
      this.#fail({ code: 'ECONNRESET' });
      return;
    }
    this.#socket = socket;
    if (!isNodeSocket(socket)) this.#write(undefined);
    else if (this.#isReused) afterReading(() => this.#writeReused(socket));
    else this.#writeNew(socket);
  }

  #writeReused(socket: Socket): void {
    // `#end` turns this failure into `'stale'`, so another connection is tried.
    if (isStale(socket)) this.#fail({ code: 'ECONNRESET' });
    else this.#write('sending');
  }

  #writeNew(socket: Socket): void {
    // A read-only socket means that a proxy has refused the connection. `#onResponse` gets the response of the proxy.
    if (!socket.writable) return;
    if (this.#isSecure && !isTls(socket)) {
      // Without TLS, everyone on the network path could read the request.
      this.#end(refusedBeforeSending('the connection of the agent has no TLS'));
      return;
    }
    // If an interceptor emits 'connect' while `connecting` is true, the phase is not known.
    whenConnected(socket, () => this.#write(isConnecting(socket) ? undefined : 'sending'));
  }

  get #isReused(): boolean {
    return this.#request?.reusedSocket === true;
  }

  /** Writes the request, of which nothing was sent before. */
  #write(phase: Phase | undefined): void {
    const { body, onProgress } = this.#wire;
    if (this.#isOver) return;
    // The time limits are checked here: after a blocked event loop, 'connect' is emitted before a due timer fires.
    if (!this.#options.canBegin()) {
      this.#end();
      return;
    }
    this.#phase = phase;
    if (this.#request && body && onProgress) sendInPieces(this.#request, body, onProgress);
    else this.#request?.end(body);
  }

  #onResponse(response: IncomingMessage): void {
    if (this.#phase === 'connecting') {
      // The request was not written yet, so this is not its response. There are two possible causes. An idle connection
      // had received unexpected bytes: `#end` then turns this failure into `'stale'`. Or a proxy has refused the
      // connection, and the agent passes the refusal on.
      this.#end(refusedBeforeSending(`the proxy responded with HTTP ${response.statusCode ?? 0}`));
      return;
    }
    this.#response = response;
    this.#phase = 'receiving';
    response.on('data', (chunk: Buffer) => {
      if (!this.#body.add(chunk)) this.#end();
    });
    response.on('end', () => {
      if (!response.complete) return; // 'error' or 'close' follows
      if (this.#socket) recordIdle(this.#socket, response);
      this.#advance('receiving', 'complete');
      this.#end();
    });
    response.on('error', (error) => this.#fail(error));
    response.on('close', () => this.#fail({ code: 'ECONNRESET' }));
  }

  #fail(error: unknown): void {
    // A response also emits 'close' after 'end'.
    if (this.#isOver) return;
    const failure = classifyFailure(error, this.#phase);
    const wasIdleConnectionLost = this.#isReused && !this.#response && !hasReceived(this.#socket);
    this.#end(wasIdleConnectionLost ? { ...failure, wasIdleConnectionLost } : failure);
  }

  #end(failure?: TransportFailure): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const wasStale = failure !== undefined && this.#phase === 'connecting' && this.#isReused;
    const response = this.#response && this.#wireResponse(this.#response);
    const isUnreached = this.#phase === 'connecting' && !this.#agent;
    const hint = isUnreached ? unusedProxyHint(this.#wire.url) : undefined;
    this.#resolve(wasStale ? 'stale' : { phase: this.#phase, response, failure, ...(hint && { hint }) });
    // An unfinished connection cannot be reused, and would keep the process alive.
    if (this.#phase !== 'complete' || !this.#request?.writableFinished) this.#request?.destroy();
  }

  #wireResponse(response: IncomingMessage): WireResponse {
    const { statusCode = 0, rawHeaders } = response;
    const head = { httpStatus: statusCode, headers: rawHeaders, isRedirect: isRedirectStatus(statusCode) };
    const received = responseOf(head, this.#body, this.#phase === 'complete' ? 'framing' : undefined);
    const encoding = headerOf(head, 'content-encoding');
    if (encoding === undefined || this.#body.isTooLarge) return received;
    const { body, state } = decodeBody(received.body, encoding);
    return { ...received, body, bodyState: state === 'whole' ? received.bodyState : state };
  }
}
