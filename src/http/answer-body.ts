import { isUint8Array } from 'node:util/types';
import { transportFailure, type TransportFailure } from './failures.js';
import { quietly } from '../errors/ignore-errors.js';

/** How the body of an answer arrived. */
export type BodyState =
  | { readonly arrived: 'whole' }
  | { readonly arrived: 'too_large' }
  | { readonly arrived: 'cut'; readonly failure: TransportFailure };

/** As much of an answer's body as arrived, decoded, up to the limit. */
export interface AnswerBody {
  readonly body: Uint8Array;
  readonly state: BodyState;
}

/** Answers are small; a larger one is a mistake or an attack, and is not read. */
export const maxAnswerBytes = 1024 * 1024;

/** The pieces of a body, one by one. */
interface Pieces {
  readonly next: () => Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  /** Tells the source that no more is wanted; nothing waits for its answer. */
  readonly stop: () => Promise<unknown>;
}

/** An injected `fetch` may answer with a stream of another kind, which can only be iterated. */
type ForeignBody = AsyncIterable<unknown> | Iterable<unknown>;

function piecesOf(body: ReadableStream | ForeignBody): Pieces {
  // The stream's own iterator takes several promises for each piece, which shows where answers are small.
  if ('getReader' in body) {
    const reader = body.getReader();
    return { next: () => reader.read(), stop: () => reader.cancel() };
  }
  const iterator = (async function* () {
    yield* body;
  })();
  return { next: () => iterator.next(), stop: () => iterator.return(undefined) };
}

/** Reads a body up to the limit; what arrived before a failure is kept, since it may be a whole answer. */
export async function readBody(response: Response): Promise<AnswerBody> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let state: BodyState = { arrived: 'whole' };
  let pieces: Pieces | undefined;
  try {
    pieces = piecesOf(response.body ?? []);
    for (;;) {
      const { done, value: chunk } = await pieces.next();
      if (done) break;
      if (!isUint8Array(chunk)) throw new TypeError('a body of bytes was expected of fetch');
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxAnswerBytes) {
        state = { arrived: 'too_large' };
        break;
      }
    }
  } catch (error) {
    state = { arrived: 'cut', failure: transportFailure(error) };
  }
  if (state.arrived !== 'whole') void quietly(() => pieces?.stop());
  return { body: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks), state };
}
