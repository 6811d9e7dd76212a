import { createServer } from 'node:net';

// Below the ports that systems give to whatever asks for any: a client's connection could take one of these in between.
const first = 10_000;
const count = 20_000;
let next = Math.floor(Math.random() * count);

/**
 * A free port for a server whose address has to be known before it listens, or on which nobody is to listen. A process gets
 * each of them once.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + (next++ % count);
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createServer()
        .on('error', () => resolve(false))
        .listen(port, () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}
