import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A task for a process. */
export interface WorkerTask {
  readonly kind: 'calls' | 'burst' | 'since';
  readonly calls: number;
  /** The number of concurrent calls. @default 1 */
  readonly inFlight?: number | undefined;
}

/** A message from a process: its address, or the measurements of its work. */
export interface WorkerMessage {
  readonly ready?: true;
  readonly url?: string;
  /** The authority that signed its certificate. */
  readonly ca?: string | undefined;
  readonly cpuUs?: number;
  readonly wallUs?: number;
  readonly peakBytes?: number;
}

/** A process that does a contender's work, or responds to it. */
export interface Worker {
  readonly url: string;
  readonly ca: string | undefined;
  ask(task: WorkerTask): Promise<WorkerMessage>;
  stop(): void;
}

/** The file to start. */
export interface WorkerOptions {
  /** The path of the Node that runs it. */
  readonly node: string;
  readonly role: string;
  /** The contender. */
  readonly name?: string;
  /** The server that responds to it. */
  readonly url?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a process and waits until it is ready. */
export async function start({ node, role, name = '', url = '', env = {} }: WorkerOptions): Promise<Worker> {
  const child = fork(fileURLToPath(new URL('worker.ts', import.meta.url)), [role, name, url], {
    execPath: node,
    env: { ...process.env, ...env },
    execArgv: [...process.execArgv, '--expose-gc'],
  });
  const died = once(child, 'exit').then((): never => {
    throw new Error(`the process of ${role} ${name} ended`);
  });
  died.catch(() => undefined);
  const next = async () => {
    const [message] = (await Promise.race([once(child, 'message'), died])) as [WorkerMessage];
    return message;
  };
  const first = await next();
  return {
    url: first.url ?? '',
    ca: first.ca,
    ask(task) {
      child.send(task);
      return next();
    },
    stop: () => child.disconnect(),
  };
}
