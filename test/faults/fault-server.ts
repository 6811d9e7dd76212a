import net, { type AddressInfo, type Socket } from 'node:net';
import tls, { type TlsOptions } from 'node:tls';
import { watchRequest } from '../helpers/request-watch.js';

/** A request as its bytes arrived; it grows until it is whole. */
export class ReceivedRequest {
  readonly #chunks: Buffer[] = [];
  /** The request line and the headers, without the empty line that ends them; empty until that line is there. */
  head = '';
  /** True once as many bytes of body are there as the head announced. */
  complete = false;

  /** Takes bytes of the connection, and says what they finished. */
  take(chunk: Buffer): readonly ('head' | 'end')[] {
    this.#chunks.push(chunk);
    const finished: ('head' | 'end')[] = [];
    if (this.head === '') {
      const bytes = this.bytes;
      const end = bytes.indexOf('\r\n\r\n');
      if (end === -1) return [];
      this.head = bytes.toString('latin1', 0, end);
      finished.push('head');
    }
    const announced = this.head.length + 4 + Number(this.header('content-length') ?? 0);
    const size = this.#chunks.reduce((sum, { length }) => sum + length, 0);
    if (!this.complete && size >= announced) {
      this.complete = true;
      finished.push('end');
    }
    return finished;
  }

  /** Everything that arrived. */
  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  get body(): Buffer {
    return this.bytes.subarray(this.head.length + 4);
  }

  header(name: string): string | undefined {
    const prefix = `${name.toLowerCase()}:`;
    const line = this.head.split('\r\n').find((candidate) => candidate.toLowerCase().startsWith(prefix));
    return line?.slice(prefix.length).trim();
  }

  /** The part that must be the same in every attempt: all bytes, but for the value of Request-Time. */
  get replayed(): string {
    return this.bytes.toString('latin1').replace(/^(request-time): .*$/im, '$1: (fresh)');
  }
}

/** The server's course with one request, or with one connection before there is a request. */
export interface Step {
  /** When it acts: as a connection is made, when the head of a request is there, or when all of it is. */
  readonly at: 'connection' | 'head' | 'end';
  readonly act: (socket: Socket, request: ReceivedRequest) => void;
}

export interface FaultServerOptions {
  /** With a key and a certificate the server speaks TLS. */
  readonly tls?: TlsOptions;
  /** How many requests are kept; the first ones count. @default all */
  readonly keep?: number;
}

/**
 * A server that misbehaves to order: one step of its script for each request that reaches it, and the last step for
 * all that follow. It speaks HTTP/1.1 on bare sockets, because an HTTP library refuses to send most of what is wanted.
 */
export class FaultServer implements AsyncDisposable {
  /** Every request, in order of arrival, also the ones that were cut off. */
  readonly requests: ReceivedRequest[] = [];
  /** Connections that were made so far. */
  connections = 0;
  readonly #script: readonly Step[];
  readonly #server: net.Server;
  readonly #sockets = new Set<Socket>();
  readonly #scheme: string;
  readonly #keep: number;
  #position = 0;

  private constructor(script: readonly Step[], { tls: tlsOptions, keep = Infinity }: FaultServerOptions) {
    this.#keep = keep;
    this.#script = script;
    this.#scheme = tlsOptions ? 'https' : 'http';
    const accept = (socket: Socket) => {
      this.#accept(socket);
    };
    this.#server = tlsOptions ? tls.createServer(tlsOptions, accept) : net.createServer(accept);
    // Of a TLS server, the raw sockets below it: a failed handshake never gets as far as `accept`.
    this.#server.on('connection', (socket: Socket) => {
      this.connections++;
      this.#sockets.add(socket.on('error', ignore).on('close', () => this.#sockets.delete(socket)));
    });
    this.#server.on('tlsClientError', ignore);
  }

  static async start(script: readonly Step[], options: FaultServerOptions = {}): Promise<FaultServer> {
    const server = new FaultServer(script, options);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${String(this.port)}`;
  }

  /** Sockets that stand at the moment. */
  get openSockets(): number {
    return this.#sockets.size;
  }

  /** Ends every connection and stops listening. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #step(): Step {
    const step = this.#script[Math.min(this.#position, this.#script.length - 1)];
    if (!step) throw new Error('a fault server needs a script');
    return step;
  }

  #accept(socket: Socket): void {
    socket.on('error', ignore);
    let request = new ReceivedRequest();
    if (this.#step().at === 'connection') {
      const step = this.#step();
      this.#position++;
      step.act(socket, request);
      return;
    }
    let step: Step | undefined;
    socket.on('data', (chunk) => {
      // The client of these tests sends one request after the other: bytes after a whole one begin the next.
      if (request.complete) {
        request = new ReceivedRequest();
        step = undefined;
      }
      if (!step) {
        step = this.#step();
        this.#position++;
        if (this.requests.length < this.#keep) this.requests.push(request);
      }
      for (const point of request.take(chunk)) {
        if (point === 'end') watch(request);
        if (point === step.at) step.act(socket, request);
      }
    });
  }
}

function watch(request: ReceivedRequest): void {
  // Without a length it is not known where the body ends.
  if (request.header('content-length') === undefined) return;
  const names = ['signature', 'content-type'];
  const headers = Object.fromEntries(names.map((name) => [name, request.header(name)]));
  const path = request.head.split(' ')[1] ?? '';
  watchRequest('a fault server', { path, headers, body: request.body });
}

function ignore(): void {
  // A connection that breaks is what these tests are about.
}
