import { createHash } from 'node:crypto';
import type { Runtime } from '../../src/http/runtime.js';
import { seededRandom } from '../redis/seeded-random.js';

interface Event {
  readonly atMs: number;
  work: (() => void) | undefined;
}

/**
 * The one clock and the one source of randomness of an episode. Whatever happens is an event that is due, so the seed
 * decides all of it. The code under test may use promises and `setImmediate`: their order is fixed.
 */
export class Timeline {
  nowMs = 0;
  readonly random: () => number;
  /** The next event is the last. */
  readonly #events: Event[] = [];
  readonly #hash = createHash('sha256');
  /** Receives each line of the journal. */
  readonly #tell: ((line: string) => void) | undefined;

  constructor(seed: number, tell?: (line: string) => void) {
    this.random = seededRandom(seed);
    this.#tell = tell;
  }

  /** Runs `work` after `ms`; returns a function that cancels it. */
  after(ms: number, work: () => void): () => void {
    const event: Event = { atMs: this.nowMs + ms, work };
    this.#insert(event);
    return () => {
      event.work = undefined;
    };
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = this.after(ms, resolve);
      const abort = () => {
        cancel();
        reject(signal?.reason as Error);
      };
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  between(least: number, most: number): number {
    return least + this.random() * (most - least);
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.random() * from.length)] as T;
  }

  /** Writes a line of the journal. */
  note(...words: readonly (string | number | boolean | undefined)[]): void {
    const line = `${this.nowMs.toFixed(3)} ${words.join(' ')}\n`;
    this.#hash.update(line);
    this.#tell?.(line);
  }

  /** The hash of the journal. It ends it. */
  hash(): string {
    return this.#hash.digest('hex');
  }

  /** Lets everything happen that is due until then. */
  async runUntil(untilMs: number): Promise<void> {
    await allThatFollows();
    for (let next = this.#events.at(-1); next && next.atMs <= untilMs; next = this.#events.at(-1)) {
      this.#events.pop();
      if (!next.work) continue;
      this.nowMs = next.atMs;
      next.work();
      await allThatFollows();
    }
    this.nowMs = untilMs;
  }

  /** Behind those that are due sooner, or as soon and planned before. */
  #insert(event: Event): void {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle]?.atMs ?? 0) > event.atMs) low = middle + 1;
      else high = middle;
    }
    this.#events.splice(low, 0, event);
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Ends when nothing is left to do at this moment: promises, and a turn of the loop that the code under test waits for. */
async function allThatFollows(): Promise<void> {
  await turn();
  await turn();
}

/** Longer than a person waits before concluding. */
const longestSuspensionMs = 400_000;

/**
 * A process that can be killed at each step of I/O, before the step or after it: then nothing that it waits for ever
 * comes back, and only what others hold remains. One that is suspended instead gets all of it when it wakes.
 */
export class Process {
  isAlive = true;
  /** How long it was suspended, with the suspension that it is in. */
  suspendedMs = 0;
  #missed: (() => void)[] | undefined;
  readonly #ends = new Set<() => void>();
  readonly #suspensions = new Set<() => void>();

  constructor(
    readonly timeline: Timeline,
    readonly name: string,
    /** The clock that it reads, which may jump. */
    readonly now: () => Date,
    /** How likely it is to be killed at a step, now. */
    private readonly risk: () => number,
    /** How likely it is to be suspended at a step, now. */
    private readonly suspensionRisk: (step: string) => number,
  ) {}

  /** Clocks, timers and randomness for the client in this process. */
  get runtime(): Runtime {
    const { timeline } = this;
    return {
      now: this.now,
      wallMs: () => this.now().getTime(),
      monotonicMs: () => timeline.nowMs,
      after: (ms, work) => this.after(ms, work),
      random: timeline.random,
      boundary: () => `----${timeline.random().toString(36).slice(2)}`,
    };
  }

  get isSuspended(): boolean {
    return this.#missed !== undefined;
  }

  /** Runs `work` now, or when the process wakes, unless it is killed. */
  run(work: () => void): void {
    if (this.#missed) this.#missed.push(work);
    else if (this.isAlive) work();
  }

  /** Runs `work` in the process after `ms`; returns a function that cancels it. */
  after(ms: number, work: () => void): () => void {
    let isCancelled = false;
    const cancel = this.timeline.after(ms, () => this.run(() => !isCancelled && work()));
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  /** Calls `begin` when the process is suspended, unless the function that it returns is called first. */
  onSuspend(begin: () => void): () => void {
    this.#suspensions.add(begin);
    return () => void this.#suspensions.delete(begin);
  }

  suspend(where: string, ms: number): void {
    const { timeline, name } = this;
    timeline.note('suspended', name, where);
    this.#missed = [];
    this.suspendedMs += ms;
    timeline.after(ms, () => {
      timeline.note('woke', name);
      const missed = this.#missed ?? [];
      this.#missed = undefined;
      for (const work of missed) this.run(work);
    });
    for (const begin of this.#suspensions) begin();
  }

  /** Calls `end` when the process is killed, unless the function that it returns is called first. */
  onKill(end: () => void): () => void {
    this.#ends.add(end);
    return () => void this.#ends.delete(end);
  }

  kill(where: string): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.timeline.note('killed', this.name, where);
    for (const end of this.#ends) end();
  }

  /** One step of I/O: a statement of a database, a command of a queue. */
  async step<T>(name: string, work: () => T | Promise<T>): Promise<T> {
    await this.#pause(name);
    let end: () => T;
    try {
      const value = await work();
      end = () => value;
    } catch (error) {
      end = () => {
        throw error;
      };
    }
    await this.#pause(name);
    return end();
  }

  #pause(name: string): Promise<void> {
    const { timeline } = this;
    return new Promise((resolve) => {
      timeline.after(timeline.between(0, 5), () => {
        if (this.isAlive && !this.isSuspended) {
          if (timeline.chance(this.risk())) this.kill(`at ${name}`);
          else if (timeline.chance(this.suspensionRisk(name)))
            this.suspend(`at ${name}`, timeline.between(1_000, longestSuspensionMs));
        }
        this.run(resolve);
      });
    });
  }

  /** An object whose methods are steps of this process. */
  stepping<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (_target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) =>
          this.step(String(name), () => Reflect.apply(value, target, given) as unknown);
      },
    });
  }
}
