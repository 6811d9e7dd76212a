/** A contender: it does a piece of work in its own process. */
export interface Contender {
  /** Does the work once. */
  readonly call: () => Promise<unknown>;
  /** Prepares input before the measurement, for work that needs new input each time. */
  readonly prepare?: (calls: number) => Promise<unknown>;
}

/** Makes a contender that is ready to be called. `url` is the server that responds to it. */
export type MakeContender = (url: string) => Contender | Promise<Contender>;

/** The contenders by their names in the table. */
export type Suite = Readonly<Record<string, MakeContender>>;
