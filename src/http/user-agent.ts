import { version } from '../version.js';

/** The runtime and its version. Bun and Deno pass for Node, so they are asked first. */
function runtimeName(versions: Readonly<Record<string, string | undefined>>): string {
  const name = ['bun', 'deno', 'node'].find((candidate) => versions[candidate] !== undefined) ?? 'unknown';
  return `${name}/${versions[name] ?? '0'}`;
}

/** The User-Agent of every request: this package and the runtime. */
export const userAgent = `installment-payments/${version} ${runtimeName(process.versions)}`;
