import { SenderGoneError } from '../common/exchange.js';

/** The whole body, or undefined when it is longer than the limit. */
export async function readBounded(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      // Leaving the loop cancels a web stream.
      if (size > maxBytes) return undefined;
      chunks.push(chunk);
    }
  } catch {
    throw new SenderGoneError();
  }
  return Buffer.concat(chunks, size);
}
