import { InstallmentClient } from '../../src/index.js';
import { createJob, createProcessor, type JobProcessor } from '../../src/bullmq/index.js';
import { LenderClient } from '../../src/lender/index.js';
import { createMockService, samplePaymentRequest, type MockService } from '../../src/mock/index.js';
import { systemRuntime, type Runtime } from '../../src/http/runtime.js';
import { systemError } from '../faults/detours.js';
import { files } from '../helpers/samples.js';
import { newJob, type Kind } from '../queue/jobs.js';
import { FakeQueue, type Gate, type Step } from './fake-queue.js';

/** How the network and the service answer one request. */
export const answers = {
  accepted: (act) => act(),
  refused: () =>
    Promise.reject(new TypeError('fetch failed', { cause: systemError('ECONNREFUSED', 'connect') })),
  rejected: () =>
    Promise.resolve(Response.json({ resultStatus: 'INVALID_REQUEST', resultMsg: 'no' }, { status: 400 })),
  throttled: () =>
    Promise.resolve(
      new Response('{}', { status: 429, headers: { 'Content-Length': '2', 'Retry-After': '7' } }),
    ),
  lost: async (act) => {
    await act();
    throw new TypeError('fetch failed', { cause: systemError('ECONNRESET', 'read') });
  },
} satisfies Record<string, (act: () => Promise<Response>) => Promise<Response>>;

export type Answer = keyof typeof answers;

export const everyAnswer = Object.keys(answers) as Answer[];

// Limits are tested elsewhere. A timer of a run that was killed would outlive its test.
const endless: Runtime = { ...systemRuntime, after: () => () => undefined };

/** The service, as a test sees it. */
export interface World {
  readonly queue: FakeQueue;
  /** Runs the job once more. */
  readonly run: (answer: Answer, gate?: Gate) => Promise<void>;
  /** How many requests reached the service, refused connections left out. */
  readonly arrived: () => number;
  /** How many payments, invoices, receipts or allocations the service made of the job. */
  readonly made: () => number;
  readonly idempotencyKeys: ReadonlySet<string | null>;
}

let worlds = 0;
let mock: MockService | undefined;

/** A job of its own, and a service that it shares with others. */
export async function createWorld(kind: Kind): Promise<World> {
  if (!mock || worlds % 500 === 0) mock = createMockService({ uploads: 'any', journalLimit: 1 });
  const service = mock;
  const reference = `JOB:${String((worlds += 1))}`;
  const job = newJob(kind, reference);
  if (job.operation === 'uploadInvoice') {
    const merchant = new InstallmentClient(service.clientOptions());
    await merchant.initiatePayment(samplePaymentRequest({ referenceId: reference }));
  }
  const queue = new FakeQueue(createJob(job));
  const idempotencyKeys = new Set<string | null>();
  let arrived = 0;
  let allocations = 0;

  const processorFor = (answer: Answer, gate: Gate): JobProcessor => {
    const fetch = async (request: Request) => {
      const act = async () => {
        const response = await service.fetch(request);
        // The mock knows an allocation again, which the specification does not promise.
        if (response.ok && job.operation === 'repaymentAllocation') allocations += 1;
        await gate('service acted');
        return response;
      };
      if (answer !== 'refused') {
        arrived += 1;
        idempotencyKeys.add(request.headers.get('Idempotency-Key'));
        await gate('request arrived');
      }
      return answers[answer](act);
    };
    const common = {
      fetch: (input: Request | URL | string, init?: RequestInit) => fetch(new Request(input, init)),
    };
    const limits = { maxRetries: 0 };
    return createProcessor({
      client: new InstallmentClient({ ...service.clientOptions(), ...common, ...limits }, endless),
      lender: new LenderClient(
        {
          baseUrl: 'https://service.example',
          lenderCode: 'L',
          serviceApplicationId: 'A',
          ...common,
          ...limits,
        },
        endless,
      ),
      loadFile: async () => {
        await gate('file loaded');
        return files.pdf;
      },
    });
  };

  const counts = {
    initiatePayment: () => service.payments.all().filter((each) => each.referenceId === reference).length,
    uploadInvoice: () => service.invoices.all().filter((each) => each.referenceId === reference).length,
    paymentReceipt: () =>
      service.receipts.all().filter((each) => each.lenderTransactionCode === reference).length,
    repaymentAllocation: () => allocations,
  };
  return {
    queue,
    run: (answer, gate = () => Promise.resolve()) => queue.run(processorFor(answer, gate), gate),
    arrived: () => arrived,
    made: counts[job.operation],
    idempotencyKeys,
  };
}

/** A run that was started: killed where it stopped, unless it is resumed. */
export interface StartedRun {
  /** False for a run that never came to the step, and has ended. */
  readonly isStopped: boolean;
  readonly resume: () => Promise<void>;
}

/** Starts a run that stops at a step. */
export async function startUntil(world: World, answer: Answer, stopAt: Step): Promise<StartedRun> {
  let resume: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (resume = resolve));
  let stop: () => void = () => undefined;
  const stopped = new Promise<boolean>((resolve) => {
    stop = () => resolve(true);
  });
  const run = world.run(answer, (step) => {
    if (step !== stopAt) return Promise.resolve();
    stop();
    return held;
  });
  const isStopped = await Promise.race([stopped, run.then(() => false)]);
  return {
    isStopped,
    resume: () => {
      resume();
      return run;
    },
  };
}

/** Runs a job to its end, with a service that answers. */
export async function finish(world: World): Promise<void> {
  for (let runs = 0; !world.queue.isFinished; runs += 1) {
    if (runs > 12) throw new Error('the job does not end');
    await world.run('accepted');
  }
}
