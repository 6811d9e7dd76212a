/** Bytes to be sent, and who is told as they leave. */
export interface Sendable {
  readonly body: Uint8Array;
  readonly onProgress?: ((transferredBytes: number) => void) | undefined;
}

/** Bun and Deno pass for Node, but need not send a stream's length. */
const isNode = process.versions['bun'] === undefined && process.versions['deno'] === undefined;

// Small pieces tell of progress smoothly; large ones cost less.
const progressChunkBytes = 64 * 1024;
const chunkBytes = 512 * 1024;

/** The frozen bytes as a stream, so that each piece is counted when it is taken. */
function streamOf(
  body: Uint8Array,
  onProgress: ((transferredBytes: number) => void) | undefined,
): ReadableStream<Uint8Array> {
  const size = onProgress ? progressChunkBytes : chunkBytes;
  let sent = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent > 0) onProgress?.(sent);
        if (sent === body.length) {
          controller.close();
          return;
        }
        const chunk = body.subarray(sent, sent + size);
        sent += chunk.length;
        controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * True for a body that goes out as a stream. Node's fetch copies the bytes that it is given, and copies the copy; a
 * stream over them it does not, so that many large uploads at once take their size and not three times as much.
 * An injected `fetch` gets bytes unless there is progress to tell: not every one takes a stream.
 */
function isStreamed({ body, onProgress }: Sendable, native: boolean): boolean {
  return onProgress !== undefined || (native && isNode && body.length > chunkBytes);
}

/** The part of a request's init that says what is sent; `native` for the runtime's own `fetch`. */
export function bodyInit(sendable: Sendable, native: boolean): RequestInit {
  const { body, onProgress } = sendable;
  if (!isStreamed(sendable, native)) return { body };
  return { body: streamOf(body, onProgress), duplex: 'half' };
}
