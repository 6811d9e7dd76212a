import { createServer } from 'node:net';

// These are below the ports that systems assign, because a client's connection could get an assigned port in between.
const first = 10_000;
const count = 20_000;
let next = Math.floor(Math.random() * count);

/**
 * A free port for a server whose address must be known before it listens, or on which no server must listen. A
 * process gets each port once.
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
