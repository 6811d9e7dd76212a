import type { MockService } from '../workbench-types.js';

/** Options of {@link connectMock}. */
export interface ConnectOptions {
  /**
   * The time for which the first call waits for a mock that is not up yet, in milliseconds. A connection without a
   * response can add 2 seconds. 0 tries once.
   * @default 10000
   */
  readonly waitMs?: number | undefined;
}

type AnyFunction = (...given: never[]) => unknown;

/** The arguments without functions, which cannot be sent to another process. */
type Sendable<Given extends readonly unknown[]> = {
  [Index in keyof Given]: Exclude<Given[Index], AnyFunction>;
};

/** The methods of a type, and of the objects in it. Each returns a promise and accepts no function. */
type Promised<T> = {
  readonly [Name in keyof T]: T[Name] extends (...given: infer Given) => infer Result
    ? (...given: Sendable<Given>) => Promise<Awaited<Result>>
    : Promised<T[Name]>;
};

/**
 * The controls of a mock in another process. They are the controls of {@link MockService}, but async, with two
 * differences. A journal match is sent as JSON, so it contains no functions and no `undefined`. And `journal.waitFor`
 * waits 60 seconds at most.
 */
export type RemoteMock = Promised<
  Omit<MockService, 'subscribe' | 'fetch' | 'clientOptions' | 'listen' | 'handle'>
>;
