import { framed, scriptedFetch, type FetchScript, type ScriptedFetch } from './scripted-fetch.js';

/** The error of the system that a failed connection has. */
export const systemError = (code: string, syscall: string) =>
  Object.assign(new Error(code), { code, syscall });

/** A script that fails as the `fetch` of Node does. */
const failing =
  (code: string, syscall: string): FetchScript =>
  () => {
    throw new TypeError('fetch failed', { cause: systemError(code, syscall) });
  };

/** Nothing was sent: no server was listening. */
export const refused = failing('ECONNREFUSED', 'connect');

/** The outcome is unknown: the connection was lost while the response was awaited. */
export const reset = failing('ECONNRESET', 'read');

/** Nothing was sent, and it fails again. */
export const badCertificate = failing('CERT_HAS_EXPIRED', 'connect');

/** A whole response. */
export const http =
  (status: number, body: string | Buffer = '', headers: Record<string, string> = {}): FetchScript =>
  () =>
    framed(body, { status, headers });

/** A fetch whose requests meet these scripts in turn, and the last one from then on. */
export function inTurn(...scripts: readonly [FetchScript, ...FetchScript[]]): ScriptedFetch {
  const [first] = scripts;
  return scriptedFetch((request, index) => (scripts[index] ?? scripts.at(-1) ?? first)(request, index));
}
