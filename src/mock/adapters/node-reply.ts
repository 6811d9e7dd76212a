import { addAbortListener } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { encodedBody, firstHalf, type Reply, type ResponseData } from '../common/exchange.js';

// Bytes of a refused body that are still read, so that the sender sees the response instead of a reset.
const drainedBytes = 16 * 1024 * 1024;
const drainMs = 2000;

/** Discards the rest of a request, up to a limit. */
async function drain(request: IncomingMessage): Promise<void> {
  let left = drainedBytes;
  const timer = setTimeout(() => request.destroy(), drainMs);
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      left -= chunk.length;
      if (left < 0) break;
    }
  } catch {
    // The sender closed the connection.
  } finally {
    clearTimeout(timer);
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
  // First the response, so that the sender can stop, then the rest of the request.
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
  // A browser may close the page at any time; the pipeline then cancels its stream.
  await pipeline(Readable.fromWeb(from.body), response).catch(() => undefined);
}

/** Sends half of a body with the Content-Length of the whole. */
function sendHalf(data: ResponseData, response: ServerResponse, sent?: () => void): void {
  const bytes = encodedBody(data);
  response.writeHead(data.httpStatus, { ...data.headers, 'content-length': bytes.length });
  response.write(firstHalf(bytes), sent);
}

/** Resets the connection when the mock is reset, unless it was closed before. */
function resetWhen(ended: AbortSignal, request: IncomingMessage, response: ServerResponse): void {
  const listening = addAbortListener(ended, () => request.socket.resetAndDestroy());
  response.on('close', () => {
    listening[Symbol.dispose]();
  });
}

/** Carries out a reply on the socket of the request. */
export async function carry(reply: Reply, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { socket } = request;
  const hangUp = () => {
    socket.end(() => socket.destroy());
  };
  switch (reply.kind) {
    case 'response':
      if (socket.destroyed) reply.abandoned?.();
      else await sendData(reply.response, request, response);
      break;
    case 'page':
      await sendPage(reply.response, response);
      break;
    case 'connection-reset':
      socket.resetAndDestroy();
      break;
    case 'empty-response':
      hangUp();
      break;
    case 'hang':
      resetWhen(reply.ended, request, response);
      break;
    case 'stalled-body':
      sendHalf(reply.response, response);
      resetWhen(reply.ended, request, response);
      break;
    case 'truncated-body':
      sendHalf(reply.response, response, hangUp);
      break;
  }
}
