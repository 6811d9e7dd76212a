import http from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';

/** The reaction of the proxy to a CONNECT: opens the tunnel, refuses it with a status, or breaks. */
export type ConnectAnswer = 'tunnel' | 'reset' | 'close' | 'hang' | number;

/** A small forward proxy on loopback: CONNECT for https, absolute URLs for http. */
export class ProxyServer implements AsyncDisposable {
  /** Hosts that a tunnel was asked for, in order. */
  readonly tunnels: string[] = [];
  /** URLs of the requests that were passed on. */
  readonly forwarded: string[] = [];
  /** The reaction to the next CONNECT. It can be changed at any time. */
  answer: ConnectAnswer;
  readonly #server = http.createServer();
  readonly #sockets = new Set<Socket>();

  private constructor(answer: ConnectAnswer) {
    this.answer = answer;
  }

  static async start(answer: ConnectAnswer, asked: () => void = () => undefined): Promise<ProxyServer> {
    const proxy = new ProxyServer(answer);
    const server = proxy.#server;
    server.on('connection', (socket: Socket) => proxy.#keep(socket));
    server.on('connect', ({ url = '' }: http.IncomingMessage, socket: Socket) => {
      proxy.tunnels.push(url);
      const { answer } = proxy;
      if (answer === 'tunnel') proxy.#tunnel(url, socket);
      else if (answer === 'hang') socket.resume().on('end', () => socket.end());
      else if (answer === 'reset') socket.resetAndDestroy();
      else if (answer === 'close') socket.end();
      else {
        const page = '<h1>Refused by the proxy</h1>';
        socket.end(`HTTP/1.1 ${String(answer)} No\r\nContent-Length: ${String(page.length)}\r\n\r\n${page}`);
      }
      asked();
    });
    server.on('request', (request, response) => {
      const { url = '', method, headers } = request;
      proxy.forwarded.push(url);
      const onward = http.request(url, { method, headers, agent: false }, (answered) => {
        response.writeHead(answered.statusCode ?? 502, answered.rawHeaders);
        answered.pipe(response);
      });
      request.pipe(onward);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** Connections that are open now. */
  get connections(): number {
    return this.#sockets.size;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
  }

  #tunnel(url: string, client: Socket): void {
    const { hostname, port } = new URL(`http://${url}`);
    const origin = net.connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      client.pipe(origin).pipe(client);
    });
    this.#keep(origin);
    client.on('close', () => origin.destroy());
    origin.on('close', () => client.destroy());
  }
}
