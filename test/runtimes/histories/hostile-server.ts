import net, { type Socket } from 'node:net';
import { ReceivedRequest } from '../../faults/fault-server.js';
import { freePort } from '../../helpers/free-port.js';
import { elsewhere, ruleOf, type Strike } from './strikes.js';

/** A call that is being made, as the server knows it: by the first part of its path. */
export interface LiveCall {
  readonly id: number;
  readonly isOnce: boolean;
  readonly isLender: boolean;
  /** Faults of its requests, one after the other; later requests are answered. */
  readonly strikes: Strike[];
  readonly elapse: () => void;
  readonly abort: () => void;
  /** Requests of which at least the head arrived. */
  requests: number;
  /** Requests that the service acted on. */
  acted: number;
  /** All different requests that arrived whole, but for their Request-Time. */
  readonly different: Set<string>;
}

export function approvalOf(id: number): Readonly<Record<string, unknown>> {
  return {
    referenceId: `ORDER-${String(id)}`,
    resultStatus: 'APPROVED',
    paymentUrl: `https://pay.example/${String(id)}`,
    invoiceId: `INVOICE-${String(id)}`,
    acknowledged: true,
  };
}

const refusal = { resultStatus: 'ACCESS_DENIED', resultMsg: 'no', acknowledged: false };
const approve: Strike = { kind: 'answered', acts: true, share: 0 };

/** A service that counts what it acts on, and keeps to no other rule. */
export class HostileServer implements AsyncDisposable {
  readonly #server = net.createServer((socket) => {
    this.#accept(socket);
  });
  readonly #sockets = new Set<Socket>();
  readonly #calls = new Map<number, LiveCall>();
  #current: LiveCall | undefined;
  readonly #beforeNext: (() => Promise<void>)[] = [];
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${String(this.#port)}`;
  }

  /** Makes ready for the requests of a call: listens, or stops listening, so that new connections are refused. */
  async expect(call: LiveCall, isDown: boolean): Promise<void> {
    this.#calls.set(call.id, call);
    this.#current = call;
    if (!this.#server.listening) await this.#listen();
    if (isDown) this.#server.close();
    for (const write of this.#beforeNext.splice(0)) await write();
  }

  async #listen(): Promise<void> {
    // Nobody else gets this port while the server is down.
    this.#port ||= await freePort();
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(this.#port, '127.0.0.1', () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(socket: Socket): void {
    // Or the system keeps bytes that nobody asked for until the next request: then no client could tell.
    socket.setNoDelay(true);
    this.#sockets.add(socket);
    socket.on('error', ignore).on('close', () => this.#sockets.delete(socket));
    const [next] = this.#current?.strikes ?? [];
    if (this.#current && next && ruleOf(next.kind).at === 'connection') {
      this.#current.strikes.shift();
      this.#strike(next, this.#current, socket);
    }
    this.#serve(socket);
  }

  #serve(socket: Socket): void {
    let request = new ReceivedRequest();
    let call: LiveCall | undefined;
    let strike = approve;
    socket.on('data', (chunk) => {
      if (request.complete) request = new ReceivedRequest();
      for (const point of request.take(chunk)) {
        if (point === 'head') {
          if (isEmpty(request)) {
            socket.write(emptyRefused);
            break;
          }
          call = this.#callOf(request);
          if (call) call.requests++;
          strike = call ? nextStrike(call) : approve;
        }
        if (!call) {
          socket.destroy();
          break;
        }
        if (point === 'end') {
          call.different.add(request.replayed);
          if (strike.acts) call.acted++;
        }
        if (point === (ruleOf(strike.kind).at ?? 'end')) this.#strike(strike, call, socket);
      }
    });
  }

  /** The call that a request belongs to; undefined if it was meant for the server that had this port before. */
  #callOf({ head }: ReceivedRequest): LiveCall | undefined {
    const path = /^\S+ (\S+)/.exec(head)?.[1] ?? '';
    return path === elsewhere ? this.#current : this.#calls.get(Number(path.split('/')[1]));
  }

  #strike(strike: Strike, { id, isLender, elapse, abort }: LiveCall, socket: Socket): void {
    const { acts } = strike;
    if (socket.destroyed) return;
    // A lender's HTTP status is its whole answer; a merchant's resultStatus counts under any.
    const actedStatuses = isLender ? [200, 202] : [200, 201, 400, 404, 413, 429, 500];
    ruleOf(strike.kind).strike({
      ...strike,
      socket,
      answer: JSON.stringify(acts ? approvalOf(id) : refusal),
      statuses: acts ? actedStatuses : [200, 400, 403, 422],
      elapse,
      abort,
      writeBeforeNext: (bytes) =>
        this.#beforeNext.push(() => new Promise((resolve) => socket.write(bytes, () => resolve()))),
      goDown: () => this.#server.close(),
    });
  }
}

function nextStrike({ strikes }: LiveCall): Strike {
  const next = strikes.shift();
  if (!next) return approve;
  // Over a connection that was kept alive there is nothing to connect.
  return ruleOf(next.kind).at === 'connection' ? approve : next;
}

/** Nobody can act on a request without a body. The RetryAgent of undici sends one where it cannot send a body again. */
function isEmpty(request: ReceivedRequest): boolean {
  return Number(request.header('content-length') ?? 0) === 0 && !request.head.startsWith('GET');
}

const emptyRefused = 'HTTP/1.1 400 Empty\r\nContent-Length: 0\r\n\r\n';

function ignore(): void {
  // A connection that breaks is what these tests are about.
}
