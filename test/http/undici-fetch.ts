import { fetch, type Dispatcher } from 'undici';
import type { Fetch } from '../../src/entries/index.js';

/** The `fetch` of undici through a dispatcher. */
export function undiciFetch(dispatcher: Dispatcher): Fetch {
  return (input, init) => fetch(input, { ...init, dispatcher });
}
