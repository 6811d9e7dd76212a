import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const commands = {
  'shape-first': ['node', 'shape-first.mjs'],
  sandbox: ['python3', 'sandbox.py'],
  rough: ['node', 'rough.mjs'],
} as const;

export type ServerName = keyof typeof commands;
export const serverNames = Object.keys(commands) as ServerName[];

type Repeat = 'replay' | 'duplicate' | 'invalid' | 'conflict' | 'processing' | 'busy' | 'another';

/** The behaviour of a server, in the values of the observations of a probe. */
export interface Combination {
  clientId: string;
  /** The issued secret key, in the notation of `secretKeyEncoding`. */
  secretKey: string;
  signatureEncoding: 'hex' | 'hex-upper' | 'base64' | 'base64url';
  secretKeyEncoding: 'utf8' | 'hex' | 'base64';
  exactBytes: boolean;
  absentFields: 'empty' | 'omit';
  requestTimeOffset: string;
  repeat: Repeat;
  repeatInFlight: Repeat;
  firstResponse: 'approved' | 'processing';
  refusals: 200 | 'by-kind' | Record<string, number>;
  uploadsBeforePayment: 'refused' | 'accepted';
  /** The compression of the responses. @default identity */
  contentEncoding?: 'identity' | 'gzip' | 'br' | 'deflate';
  /** True if a known reference with a new key is refused before the signature is checked. */
  duplicatesFirst?: boolean;
  seed: number;
  /** The duration of a payment in milliseconds, so that a repeat can arrive while it is in flight; 100 by default. */
  workMs?: number;
}

export interface Count {
  payments: number;
  invoices: number;
  /** The requests that followed a redirect; only for `rough`. */
  followed?: number;
}

/** One process, which serves any number of combinations, one after another. */
export async function startServer(name: ServerName, combination: Combination) {
  const [command, file] = commands[name];
  const script = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(command, [script, JSON.stringify({ port: 0, ...combination })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const firstLine = once(createInterface(child.stdout), 'line') as Promise<[string]>;
  const [line] = await Promise.race([
    firstLine,
    ended.then(([code]) => Promise.reject(new Error(`${file} ended with exit code ${String(code)}`))),
  ]);
  const url = `http://127.0.0.1:${line.replace('listening ', '')}`;

  return {
    url,
    /** Deletes everything and continues with another combination. */
    async configure(next: Combination): Promise<void> {
      const response = await fetch(`${url}/_configure`, { method: 'POST', body: JSON.stringify(next) });
      if (!response.ok) throw new Error(`${file} refused its combination: ${await response.text()}`);
    },
    async count(): Promise<Count> {
      return (await (await fetch(`${url}/_count`)).json()) as Count;
    },
    async stop(): Promise<void> {
      child.kill();
      await ended;
    },
  };
}

export type Server = Awaited<ReturnType<typeof startServer>>;
