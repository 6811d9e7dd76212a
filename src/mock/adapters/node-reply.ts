import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  encodedBody,
  firstHalf,
  isHalf,
  type Cut,
  type Reply,
  type ResponseData,
} from '../common/exchange.js';

// The number of bytes of a refused body that are read. If they were not read, the sender would get a reset instead of
// the response.
const drainedBytes = 16 * 1024 * 1024;

/** Discards the rest of a request, up to a limit. */
async function drain(request: IncomingMessage): Promise<void> {
  let left = drainedBytes;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      left -= chunk.length;
      if (left < 0) break;
    }
  } catch {
    // The sender closed the connection.
  }
}

async function sendData(
  data: ResponseData,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const bytes = encodedBody(data);
  const early = !request.complete;
  response.writeHead(data.httpStatus, {
    ...data.headers,
    'content-length': bytes.length,
    ...(early && { connection: 'close' }),
  });
  // The response is sent first, so that the sender can stop. Then the rest of the request is read.
  response.write(bytes);
  if (early) await drain(request);
  response.end();
}

async function sendPage(from: Response, response: ServerResponse): Promise<void> {
  response.writeHead(from.status, [...from.headers].flat());
  if (!from.body) {
    response.end();
    return;
  }
  // A browser can close the page at any time. The pipeline then cancels the stream of the page.
  await pipeline(Readable.fromWeb(from.body), response).catch(() => undefined);
}

/** Ends a connection. A response of which half is sent has the Content-Length of the whole body. */
function cut(reply: Cut, { socket }: IncomingMessage, response: ServerResponse): void {
  const close = () => socket.end(() => socket.destroy());
  if (reply.kind === 'connection-reset') socket.resetAndDestroy();
  if (reply.kind === 'empty-response') close();
  if (isHalf(reply)) {
    const bytes = encodedBody(reply.response);
    response.writeHead(reply.response.httpStatus, {
      ...reply.response.headers,
      'content-length': bytes.length,
    });
    response.write(firstHalf(bytes), reply.kind === 'truncated-body' ? close : undefined);
  }
  if (reply.kind === 'hang' || reply.kind === 'stalled-body') {
    const { resetSignal } = reply;
    const reset = () => socket.resetAndDestroy();
    if (resetSignal.aborted) reset();
    resetSignal.addEventListener('abort', reset);
    response.on('close', () => resetSignal.removeEventListener('abort', reset));
  }
}

/** Carries out a reply on the socket of the request. */
export async function carry(reply: Reply, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (reply.kind === 'page') await sendPage(reply.response, response);
  else if (reply.kind !== 'response') cut(reply, request, response);
  else if (request.socket.destroyed) reply.abandoned?.();
  else await sendData(reply.response, request, response);
}
