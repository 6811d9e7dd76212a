import type { KeyObject } from 'node:crypto';
import { headerNames } from '../../protocol/headers.js';
import { hmacSha256 } from '../../protocol/signature.js';
import { version } from '../../version.js';
import type { PostRequest } from '../adapters/node-post.js';
import { MockUsageError } from '../wire/usage-error.js';
import type { Changes } from '../state/changes.js';
import type { MockPayment } from '../state/payments.js';
import type { MockDelay } from '../wire/delay.js';
import type { MockWebhookOptions, MockWebhooks, WebhookDelivery, WebhookTry } from './webhook-types.js';

/** Pauses between the tries of a webhook that fails. */
const pausesMs = [1000, 5000, 25_000] as const;
const keptTries = 100;
// One that hangs must not keep the next ones from being sent.
const mostAtOnce = 100;

/** What the webhooks of a mock need of it. */
export interface WebhookSetup {
  /** Number of deliveries that are kept. */
  readonly limit: number;
  readonly now: () => Date;
  readonly delay: MockDelay;
  readonly changes: Changes;
  readonly post: (request: PostRequest) => Promise<number>;
  /** The longest wait for an answer, in milliseconds. */
  readonly answerMs: number;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A delivery that can still change. */
interface OpenDelivery extends Mutable<Omit<WebhookDelivery, 'tries'>> {
  readonly tries: WebhookTry[];
  /** Ends the tries that are under way. */
  round: AbortController;
}

/** Sends a webhook for each payment that is settled, and keeps what became of it. */
export class Webhooks implements MockWebhooks {
  readonly #deliveries = new Map<string, OpenDelivery>();
  readonly #options: MockWebhookOptions | undefined;
  readonly #atOnce = limiter(mostAtOnce);
  #created = 0;

  constructor(
    options: MockWebhookOptions | undefined,
    private readonly setup: WebhookSetup,
  ) {
    this.#options = options;
  }

  all(): WebhookDelivery[] {
    return Array.from(this.#deliveries.values(), viewOf);
  }

  get(id: string): WebhookDelivery | undefined {
    const delivery = this.#deliveries.get(id);
    return delivery && viewOf(delivery);
  }

  resend(id: string): WebhookDelivery {
    const delivery = this.#deliveries.get(id);
    if (!delivery) throw new MockUsageError('There is no webhook with this ID.');
    const isBeingSent = delivery.status === 'pending' && delivery.nextTryAt === undefined;
    if (!isBeingSent) this.#start(delivery);
    return viewOf(delivery);
  }

  /** Sends the webhook of a payment that has just been settled. */
  announce(payment: MockPayment, merchantKey: KeyObject): void {
    if (!this.#options) return;
    const { url, header = headerNames.signature, secretKey = merchantKey } = this.#options;
    const id = `WH-${String((this.#created += 1)).padStart(8, '0')}`;
    const { referenceId } = payment;
    const createdAt = this.setup.now();
    const { body, problem } = bodyOf(payment, id, this.#options);
    const delivery: OpenDelivery = {
      id,
      url,
      referenceId,
      createdAt,
      status: 'pending',
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': `installment-payments-mock/${version}`,
        [header]: hmacSha256(body, secretKey),
      },
      tries: [],
      round: new AbortController(),
    };
    this.#deliveries.set(id, delivery);
    this.#forgetOldest();
    if (problem === undefined) {
      this.#start(delivery);
    } else {
      delivery.tries.push({ startedAt: createdAt, durationMs: 0, error: problem });
      this.#finish(delivery, 'failed');
    }
  }

  #forgetOldest(): void {
    if (this.#deliveries.size <= this.setup.limit) return;
    for (const [id, { round }] of this.#deliveries) {
      this.#deliveries.delete(id);
      round.abort();
      return;
    }
  }

  #start(delivery: OpenDelivery): void {
    delivery.round.abort();
    delivery.round = new AbortController();
    delivery.status = 'pending';
    delete delivery.nextTryAt;
    this.#tell(delivery);
    const { signal } = delivery.round;
    this.#send(delivery, signal).catch(() => {
      // An injected delay has failed: nothing would ever send the webhook.
      if (!signal.aborted) this.#finish(delivery, 'failed');
    });
  }

  /** One round: tries until a 2xx answer, or until the pauses are used up. */
  async #send(delivery: OpenDelivery, signal: AbortSignal): Promise<void> {
    for (const pauseMs of [...pausesMs, undefined]) {
      const { httpStatus = 0 } = await this.#atOnce(() => this.#try(delivery, signal));
      signal.throwIfAborted();
      if (httpStatus >= 200 && httpStatus < 300) {
        this.#finish(delivery, 'delivered');
        return;
      }
      if (pauseMs === undefined) break;
      delivery.nextTryAt = new Date(this.setup.now().getTime() + pauseMs);
      this.#tell(delivery);
      await this.setup.delay(pauseMs, signal);
      signal.throwIfAborted();
      delete delivery.nextTryAt;
    }
    this.#finish(delivery, 'failed');
  }

  async #try({ url, headers, body, tries }: OpenDelivery, signal: AbortSignal): Promise<WebhookTry> {
    signal.throwIfAborted();
    const { post, now, answerMs: limitMs } = this.setup;
    const startedAt = now();
    const started = performance.now();
    const outcome = await post({ url, headers, body, limitMs, signal }).then(
      (httpStatus) => ({ httpStatus }),
      (error: unknown) => ({ error: reasonOf(error) }),
    );
    const made: WebhookTry = { startedAt, durationMs: performance.now() - started, ...outcome };
    tries.push(made);
    if (tries.length > keptTries) tries.shift();
    return made;
  }

  #finish(delivery: OpenDelivery, status: 'delivered' | 'failed'): void {
    delivery.status = status;
    delete delivery.nextTryAt;
    this.#tell(delivery);
  }

  #tell({ id }: OpenDelivery): void {
    if (this.#deliveries.has(id)) this.setup.changes.emit({ kind: 'webhook', id });
  }

  /** Ends what is under way: what is not delivered has failed. */
  end(): void {
    for (const delivery of this.#deliveries.values()) {
      if (delivery.status !== 'pending') continue;
      delivery.round.abort(new Error('the mock was closed'));
      this.#finish(delivery, 'failed');
    }
  }

  reset(): void {
    const ended = [...this.#deliveries.values()];
    this.#deliveries.clear();
    for (const { round } of ended) round.abort();
    this.#created = 0;
  }
}

/** The text to sign and send, or what is wrong with that of a function of the test. */
function bodyOf(
  payment: MockPayment,
  id: string,
  { body }: MockWebhookOptions,
): { readonly body: string; readonly problem?: string } {
  try {
    const made = body ? body(payment) : defaultBody(payment, id);
    const text: unknown = typeof made === 'string' ? made : JSON.stringify(made);
    if (typeof text === 'string') return { body: text };
    return { body: '', problem: 'webhook.body returned a value that JSON does not have' };
  } catch (error) {
    return { body: '', problem: `webhook.body failed: ${reasonOf(error)}` };
  }
}

/** The specification shows no shape for a payment notification: this one is ours. */
function defaultBody(payment: MockPayment, id: string): object {
  const { merchantId, referenceId, status, request, paymentTransId, settledAt } = payment;
  const { amount } = request;
  return { id, event: 'payment.settled', merchantId, referenceId, status, amount, paymentTransId, settledAt };
}

/** A system error by its code, any other by its message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}

/** Runs at most so many pieces of work at once; the others wait in order. */
function limiter(most: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running < most) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

function viewOf({ round: _round, ...delivery }: OpenDelivery): WebhookDelivery {
  return { ...delivery, tries: [...delivery.tries] };
}
