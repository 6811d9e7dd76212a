import { execFile } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { CliIo } from '../../../src/workbench/cli/io.js';
import { runCommandLine } from '../../../src/workbench/cli/run.js';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

interface RanWithOutput extends Ran {
  /** The output and the errors, in the order in which they were printed. */
  readonly output: string;
}

/** Runs a command line that ends by itself. */
export async function runOnce(
  args: string[],
  env: CliIo['env'] = {},
  input: Uint8Array | string = '',
): Promise<Ran> {
  const { code, out, error } = await runUntil(new EventEmitter(), args, env, input);
  return { code, out, error };
}

/** Runs a command line that ends by itself, or by one of these signals. */
export async function runUntil(
  signals: EventEmitter,
  args: string[],
  env: CliIo['env'],
  input: Uint8Array | string = '',
): Promise<RanWithOutput> {
  const out: string[] = [];
  const error: string[] = [];
  const output: string[] = [];
  const saidBy = (lines: string[]) => (line: string) => {
    lines.push(line);
    output.push(line);
  };
  const code = await runCommandLine(args, {
    env,
    signals,
    input: Readable.from([Buffer.from(input)]),
    inputIsPipe: false,
    parentId: () => 1,
    out: saidBy(out),
    error: saidBy(error),
  });
  return { code, out: out.join('\n'), error: error.join('\n'), output: output.join('\n') };
}

/** Runs `explain` on a file with this content. */
export async function explained(
  kind: 'payment' | 'invoice' | 'signature',
  content: string | Uint8Array,
  ...args: string[]
): Promise<Ran> {
  return explainedWith('demo-secret', kind, content, ...args);
}

export async function explainedWith(
  secretKey: string,
  kind: string,
  content: string | Uint8Array,
  ...args: string[]
): Promise<Ran> {
  const folder = await mkdtemp(join(tmpdir(), 'explain-'));
  const file = join(folder, 'file');
  await writeFile(file, content);
  const ran = await runOnce(['explain', kind, file, '--secret-env', 'KEY', ...args], { KEY: secretKey });
  await rm(folder, { recursive: true });
  return ran;
}

interface Running {
  /** Its output and its errors. */
  readonly lines: string[];
  readonly spoken: EventEmitter;
  /** Emits the signals of its process. */
  readonly signals: EventEmitter;
  readonly ended: Promise<number>;
  /** Ends it, and resolves to its exit code. */
  readonly stop: () => Promise<number>;
}

/** Starts the `mock` command. If a stream is given, it is standard input, as a pipe. */
function begin(args: string[], input?: Readable, more: Partial<CliIo> = {}): Running {
  const lines: string[] = [];
  const signals = new EventEmitter();
  const spoken = new EventEmitter();
  const say = (line: string) => {
    lines.push(line);
    spoken.emit('line');
  };
  const ended = runCommandLine(['mock', '--port', '0', ...args], {
    env: {},
    signals,
    input: input ?? new PassThrough(),
    inputIsPipe: input !== undefined,
    parentId: () => 1,
    out: say,
    error: say,
    ...more,
  });
  const stop = () => {
    signals.emit('SIGTERM');
    return ended;
  };
  return { lines, spoken, signals, ended, stop };
}

/** Runs the `mock` command until it has printed something. */
export async function start(args: string[], input?: Readable, more?: Partial<CliIo>): Promise<Running> {
  const running = begin(args, input, more);
  await once(running.spoken, 'line');
  return running;
}

/** True if a mock responds at this address. */
export async function isUp(url: string): Promise<boolean> {
  return fetch(`${url}/_mock/health`).then(
    (response) => response.ok,
    () => false,
  );
}

/** Pastes a command into a shell; without curl, sends the same request. */
export async function paste(curl: string): Promise<string> {
  try {
    return (await promisify(execFile)('sh', ['-c', curl])).stdout;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 127) throw error;
  }
  const words = (
    await promisify(execFile)('sh', ['-c', curl.replace('curl', `printf '%s\\0'`)])
  ).stdout.split('\0');
  const headers = words.flatMap((word, index) =>
    words[index - 1] === '-H' ? [word.split(/: (.*)/, 2)] : [],
  );
  const url = words.find((word) => word.startsWith('http')) ?? '';
  const body = words[words.indexOf('--data-raw') + 1] ?? '';
  const response = await fetch(url, { method: 'POST', headers: headers as [string, string][], body });
  return response.text();
}
