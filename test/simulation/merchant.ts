import type { PostRequest } from '../../src/mock/common/exchange.js';
import { InstallmentClient } from '../../src/client.js';
import type { InstallmentApi } from '../../src/client.js';
import type { MockService } from '../../src/mock/index.js';
import type { Network } from './network.js';
import type { Records } from './records.js';
import { Process, type Timeline } from './timeline.js';

/** A replica stops following the store, and takes over later. */
export interface Failover {
  readonly fromMs: number;
  readonly atMs: number;
}

/** The surroundings of the merchants of an episode. */
export interface Surroundings {
  readonly timeline: Timeline;
  readonly network: Network;
  readonly records: Records;
  readonly mock: MockService;
  /** The clock of the merchant's machine, which may jump. */
  readonly now: () => Date;
  /** How likely a process is to be killed at a step, now. */
  readonly risk: () => number;
  /** How likely a process is to be suspended at a step, now. */
  readonly suspensionRisk: (step: string) => number;
  /** Whether somebody looks up what is in doubt while orders go on. */
  readonly hasPerson: boolean;
  /** When the store of the queue fails over to a replica that lacks the last moments. */
  readonly failovers: readonly Failover[];
  /** How many processes the merchant runs. */
  readonly processes: number;
}

/** Sells something, and takes payments for it. */
export interface Merchant {
  /** Orders. Resolves to where the customer pays, if the merchant knows it. */
  readonly checkOut: (order: string) => Promise<string | undefined>;
  /** Asks once more where to pay. */
  readonly payAgain: (order: string) => Promise<string | undefined>;
  /** Receives a notification. */
  readonly receive: (request: PostRequest) => Promise<number>;
  /**
   * True where a payment counts, or a person is asked about it. After its notification was acknowledged it is not
   * enough that a person is asked about an open attempt.
   */
  readonly knows: (reference: string, wasAcknowledged: boolean) => Promise<boolean>;
  /** Does what only a person can do, and looks every doubt up at the service. */
  readonly decide: () => Promise<void>;
}

/** The client of a process, whose every call is recorded. */
export function clientOf(
  process: Process,
  { mock, network, records }: Surroundings,
): Pick<InstallmentApi, 'initiatePayment' | 'uploadInvoice'> {
  const client = new InstallmentClient(
    { ...mock.clientOptions(), fetch: network.fetchOf(process), now: process.now },
    process.runtime,
  );
  return {
    initiatePayment: (request, options) =>
      records.call('initiatePayment', request.referenceId, { ...options, process }, () =>
        client.initiatePayment(request, options),
      ),
    uploadInvoice: (request, options) =>
      records.call('uploadInvoice', request.referenceId, { ...options, process }, () =>
        client.uploadInvoice(request, options),
      ),
  };
}

/** Programs that run in processes of their own, each of which is started again some time after it was killed. */
export class Fleet<Program> {
  readonly #running = new Map<Process, Program>();

  constructor(
    private readonly surroundings: Surroundings,
    private readonly start: (process: Process) => Program,
  ) {
    for (let number = 0; number < surroundings.processes; number++) this.#start(number);
  }

  #start(number: number): void {
    const { timeline, now, risk, suspensionRisk } = this.surroundings;
    const process = new Process(timeline, `process-${String(number)}`, now, risk, suspensionRisk);
    timeline.note('started', process.name);
    process.onKill(() => {
      this.#running.delete(process);
      timeline.after(timeline.between(500, 20_000), () => this.#start(number));
    });
    this.#running.set(process, this.start(process));
  }

  /** Asks one of the programs that run. Rejects where none does, or where it is killed or suspended before it has answered. */
  async ask<T>(
    what: string,
    limitMs: number,
    question: (program: Program, process: Process) => Promise<T>,
  ): Promise<T> {
    const { timeline, records } = this.surroundings;
    const awake = [...this.#running].filter(([process]) => !process.isSuspended);
    if (awake.length === 0) throw new Error('connection refused');
    const [process, program] = timeline.pick(awake);
    const answer = new Promise<T>((resolve, reject) => {
      const reset = () => reject(new Error('connection reset'));
      const forget = [process.onKill(reset), process.onSuspend(reset)];
      question(program, process)
        .then(resolve, reject)
        .finally(() => forget.forEach((each) => each()));
    });
    return records.watched(what, answer, { limitMs });
  }
}
