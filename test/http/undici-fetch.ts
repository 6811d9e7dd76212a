import { fetch, type Dispatcher, type RequestInit as UndiciInit } from 'undici';
import type { Fetch } from '../../src/index.js';

/** The `fetch` of undici, whose types differ from Node's own, through a dispatcher. */
export function undiciFetch(dispatcher: Dispatcher): Fetch {
  return async (input, init) => {
    const typed: unknown = { ...init, dispatcher };
    const response: unknown = await fetch(input, typed as UndiciInit);
    return response as Response;
  };
}
