import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { bundled, type Program } from '../faults/bundle.js';

/** A program of `children/` that is bundled with a version of BullMQ. */
export function childProgram(name: string, alias: Readonly<Record<string, string>> = {}): Promise<Program> {
  return bundled(name, new URL('children/', import.meta.url), alias);
}

/** Processes that are started again whenever they end. */
export interface Fleet {
  /** How many of them were killed. */
  readonly kills: number;
  readonly stop: () => Promise<void>;
}

/**
 * Keeps so many processes of a program alive. `life` resolves when a process is to be killed; it may also kill itself. Where
 * `start` returns nothing, no other one follows.
 */
export function startFleet(
  size: number,
  start: () => ChildProcess | undefined,
  life: (child: ChildProcess, kills: number) => Promise<unknown>,
): Fleet {
  const stopping = new AbortController();
  const stopped = once(stopping.signal, 'abort');
  let kills = 0;
  const keepAlive = async () => {
    for (let child = start(); child; child = stopping.signal.aborted ? undefined : start()) {
      const ended = once(child, 'exit');
      await Promise.race([life(child, kills), ended, stopped]);
      child.kill('SIGKILL');
      await ended;
      if (!stopping.signal.aborted && child.signalCode === 'SIGKILL') kills += 1;
    }
  };
  const running = Promise.all(Array.from({ length: size }, keepAlive));
  return {
    get kills() {
      return kills;
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** Calls `tell` with each line that a process writes. */
export function onLines(child: ChildProcess, tell: (line: string) => void): void {
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    text.split('\n').filter(Boolean).forEach(tell);
  });
}

/** Resolves once a process has written so many lines that `counts` accepts. It never does for Infinity. */
export function afterLines(
  child: ChildProcess,
  count: number,
  counts: (line: string) => boolean = () => true,
): Promise<void> {
  let left = count;
  return new Promise((resolve) => {
    onLines(child, (line) => {
      if (counts(line) && (left -= 1) <= 0) resolve();
    });
  });
}

/** Waits until `isDone`, looking often. Fails with `state` where that takes too long. */
export async function until(
  isDone: () => Promise<boolean>,
  limitMs: number,
  state: () => unknown,
): Promise<void> {
  const startedMs = Date.now();
  while (!(await isDone())) {
    if (Date.now() - startedMs > limitMs) throw new Error(JSON.stringify(await state()));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
