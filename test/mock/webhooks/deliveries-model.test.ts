import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InstallmentClient } from '../../../src/index.js';
import { createMockService, samplePaymentRequest, type MockService } from '../../../src/mock/index.js';
import { runs } from '../../helpers/seed.js';
import { settle as allThatIsReady } from '../../helpers/runtime.js';

const pausesMs = [1000, 5000, 25_000];
const references = 3;
const limit = 2;

/** A notification: what it waits for, and the tries that were made since it was sent or sent again. */
interface Delivery {
  readonly referenceId: string;
  status: 'pending' | 'delivered' | 'failed';
  waitsFor: 'answer' | 'pause' | undefined;
  triesOfRound: number;
  tries: number;
}

/** Oldest first. */
type Model = Delivery[];

interface Real {
  readonly mock: MockService;
  readonly client: InstallmentClient;
  /** The ends of the tries that are under way, by the reference. */
  readonly answers: Map<string, (httpStatus: number | Error) => void>;
  /** The pauses that were begun, the last of each delivery by its length. */
  readonly pauses: { readonly ms: number; readonly signal: AbortSignal; readonly end: () => void }[];
}

function start(): Real {
  const answers: Real['answers'] = new Map();
  const pauses: Real['pauses'] = [];
  const mock = createMockService(
    {
      webhook: { url: 'https://shop.example/webhooks' },
      paymentLimit: limit,
      delay: (ms, signal) =>
        new Promise((resolve, reject) => {
          pauses.push({ ms, signal, end: resolve });
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    },
    ({ body }) =>
      new Promise((resolve, reject) => {
        const { referenceId } = JSON.parse(body) as { referenceId: string };
        answers.set(referenceId, (end) => {
          if (typeof end === 'number') resolve(end);
          else reject(end);
        });
      }),
  );
  return { mock, client: new InstallmentClient(mock.clientOptions()), answers, pauses };
}

/** Compares what the mock shows with the model. */
async function look(model: Model, { mock }: Real): Promise<void> {
  await allThatIsReady(3);
  const shown = mock.webhooks.all().map(({ referenceId, status, tries, nextTryAt }) => ({
    referenceId,
    status,
    tries: tries.length,
    isPausing: nextTryAt !== undefined,
  }));
  expect(shown).toEqual(
    model.map(({ referenceId, status, tries, waitsFor }) => ({
      referenceId,
      status,
      tries,
      isPausing: waitsFor === 'pause',
    })),
  );
}

abstract class OfOne implements fc.AsyncCommand<Model, Real> {
  constructor(protected readonly referenceId: string) {}

  protected of(model: Readonly<Model>): Delivery | undefined {
    return model.find(({ referenceId }) => referenceId === this.referenceId);
  }

  abstract check(model: Readonly<Model>): boolean;
  abstract act(model: Model, real: Real, delivery: Delivery): void | Promise<void>;

  async run(model: Model, real: Real): Promise<void> {
    const fresh: Delivery = { referenceId: this.referenceId, status: 'pending', waitsFor: 'answer', triesOfRound: 0, tries: 0 }; // prettier-ignore
    await this.act(model, real, this.of(model) ?? fresh);
    await look(model, real);
  }

  toString() {
    return `${this.constructor.name} ${this.referenceId}`;
  }
}

class Settle extends OfOne {
  check(model: Readonly<Model>) {
    return !this.of(model);
  }

  async act(model: Model, { mock, client }: Real, fresh: Delivery) {
    if (mock.payments.get(this.referenceId)) return;
    try {
      await client.initiatePayment(samplePaymentRequest({ referenceId: this.referenceId }));
    } catch {
      return; // It was forgotten, and stays a duplicate.
    }
    mock.settle(this.referenceId, 'paid');
    model.push(fresh);
    if (model.length > limit) model.shift();
  }
}

class Answer extends OfOne {
  constructor(
    referenceId: string,
    private readonly answer: number | Error,
  ) {
    super(referenceId);
  }

  check(model: Readonly<Model>) {
    return this.of(model)?.waitsFor === 'answer';
  }

  act(_model: Model, { answers }: Real, delivery: Delivery) {
    answers.get(this.referenceId)?.(this.answer);
    delivery.tries += 1;
    delivery.triesOfRound += 1;
    const isTaken = typeof this.answer === 'number' && this.answer >= 200 && this.answer < 300;
    const isLast = delivery.triesOfRound > pausesMs.length;
    delivery.status = isTaken ? 'delivered' : isLast ? 'failed' : 'pending';
    delivery.waitsFor = delivery.status === 'pending' ? 'pause' : undefined;
  }

  override toString() {
    return `${super.toString()} ${String(this.answer)}`;
  }
}

class PauseEnds extends OfOne {
  check(model: Readonly<Model>) {
    return this.of(model)?.waitsFor === 'pause';
  }

  act(model: Model, { pauses }: Real, delivery: Delivery) {
    const ms = pausesMs[delivery.triesOfRound - 1];
    const open = pauses.filter(({ signal }) => !signal.aborted);
    const alike = model.filter(
      (each) => each.waitsFor === 'pause' && each.triesOfRound === delivery.triesOfRound,
    );
    expect(open.filter((pause) => pause.ms === ms)).toHaveLength(alike.length);
    // Which of two equal pauses belongs to which delivery cannot be seen: all of them end.
    for (const pause of open.filter((each) => each.ms === ms)) {
      pause.end();
      pauses.splice(pauses.indexOf(pause), 1);
    }
    for (const each of alike) each.waitsFor = 'answer';
  }
}

class Resend extends OfOne {
  check(model: Readonly<Model>) {
    return this.of(model) !== undefined;
  }

  act(_model: Model, { mock }: Real, delivery: Delivery) {
    const { id } = mock.webhooks.all().find(({ referenceId }) => referenceId === this.referenceId) ?? {
      id: '',
    };
    mock.webhooks.resend(id);
    // One that is being sent is not sent twice.
    if (delivery.waitsFor !== 'answer')
      Object.assign(delivery, { status: 'pending', waitsFor: 'answer', triesOfRound: 0 });
  }
}

class Reset implements fc.AsyncCommand<Model, Real> {
  check = () => true;

  async run(model: Model, real: Real): Promise<void> {
    real.mock.reset();
    model.length = 0;
    await look(model, real);
    expect(real.pauses.every(({ signal }) => signal.aborted)).toBe(true);
  }

  toString = () => 'reset';
}

test("the mock's notifications are as in the model: tries, pauses, ends and sending again", async () => {
  const reference = fc.nat(references - 1).map((number) => `R-${String(number)}`);
  const failed = new Error('ECONNRESET');
  const settle = reference.map((name) => new Settle(name));
  const answer = fc
    .tuple(reference, fc.constantFrom(500, 500, 401, 302, failed, 204))
    .map((given) => new Answer(...given));
  const pauseEnds = reference.map((name) => new PauseEnds(name));
  const resend = reference.map((name) => new Resend(name));
  // Most of them answers and ends of pauses, or few deliveries would come to their last try.
  const often = [answer, answer, answer, answer, pauseEnds, pauseEnds, pauseEnds, pauseEnds];
  const commands = [...often, ...often, settle, settle, resend, fc.constant(new Reset())];
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 80, size: 'max' }), async (chosen) => {
      const real = start();
      await fc.asyncModelRun(() => ({ model: [] as Model, real }), chosen);
      real.mock.reset();
    }),
    { numRuns: runs(50) },
  );
});
