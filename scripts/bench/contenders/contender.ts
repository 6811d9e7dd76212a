/** Somebody who does a piece of work, in a process of its own. */
export interface Contender {
  /** Does the work once. */
  readonly call: () => Promise<unknown>;
  /** Made before the clock runs, for work that needs something fresh each time. */
  readonly prepare?: (calls: number) => Promise<unknown>;
}

/** Makes a contender, ready to be called; `url` is the server that answers it. */
export type MakeContender = (url: string) => Contender | Promise<Contender>;

/** Contenders by the name that stands in the table. */
export type Suite = Readonly<Record<string, MakeContender>>;
