import {
  isAnswered,
  isLink,
  mayCreate,
  type Attempt,
  type ProbeRequest,
  type ProbeResponse,
} from '../judge/transcript.js';
import { wireRequest, type Sandbox } from './requests.js';
import type { RawResponse, Send } from './send.js';

/** The parts of its process that a probe uses. */
export interface ProbeTools {
  readonly send: Send;
  readonly now: () => Date;
  /** Returns the milliseconds of a monotonic clock. */
  readonly elapsedMs: () => number;
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  /** Called after each attempt with all attempts so far. */
  readonly onAttempt: (transcript: readonly Attempt[]) => Promise<void>;
  readonly signal: AbortSignal;
}

export const probeLimits = { requests: 60, totalMs: 55_000, attemptMs: 8000, retryAfterS: 5 };
// If the service itself does not respond to a request, the request is sent again after each of these pauses.
const pausesMs = [1000, 2500];
const keptHeaders = ['content-type', 'date', 'retry-after', 'x-request-id'];
const mostFields = 30;

/** Ends a probe before its last step. The message gives the reason. */
export class Stopped extends Error {}

function isWholeUpload({ operation, content }: ProbeRequest): boolean {
  return operation === 'uploadInvoice' && content === 'whole';
}

/**
 * True if a whole order got a 2xx response without a resultStatus and without a link. Such an order might have created
 * a payment, and so might each further order.
 */
function isUnseenSuccess(attempt: Attempt): boolean {
  const { httpStatus = 0, resultStatus } = attempt.response ?? {};
  const { operation, content } = attempt.request;
  const isWholeOrder = operation === 'initiatePayment' && content === 'whole';
  const isSuccess = httpStatus >= 200 && httpStatus < 300;
  return isWholeOrder && isSuccess && resultStatus === undefined && !isLink(attempt);
}

/** Returns the number of a text in a list, from 1. A new text is added to the list. */
function numberIn(texts: string[], text: string): number {
  if (!texts.includes(text)) texts.push(text);
  return texts.indexOf(text) + 1;
}

/** Sends requests to a sandbox one at a time, within the limits of a probe, and keeps the transcript. */
export class ProbeSession {
  readonly transcript: Attempt[] = [];
  readonly #links: string[] = [];
  readonly #pages: string[] = [];
  readonly #startedMs: number;
  #number = 0;

  constructor(
    private readonly sandbox: Sandbox,
    private readonly tools: ProbeTools,
  ) {
    this.#startedMs = tools.elapsedMs();
  }

  /** The milliseconds since the probe began. */
  get atMs(): number {
    return Math.round(this.tools.elapsedMs() - this.#startedMs);
  }

  /**
   * Sends a request, and repeats it if the service itself did not respond. A whole upload is sent once: if it was
   * stored, a repeat would be a second invoice. @returns the last attempt
   */
  async sendRequest(request: ProbeRequest): Promise<Attempt> {
    let attempt = await this.#sendOnce(request);
    for (const pauseMs of pausesMs) {
      if (isAnswered(attempt) || isWholeUpload(request)) break;
      await this.waitUntil(attempt.endedAtMs + pauseMs);
      attempt = await this.#sendOnce(request);
    }
    return attempt;
  }

  async #sendOnce(request: ProbeRequest): Promise<Attempt> {
    const attempt = await this.#attempt(request);
    await this.tools.onAttempt(this.transcript);
    await this.#check(attempt);
    return attempt;
  }

  /** Sends a request twice at the same moment. Neither of the two attempts is repeated. */
  async sendPair(request: ProbeRequest): Promise<readonly Attempt[]> {
    const inPair = { ...request, inPair: true } as const;
    const attempts = await Promise.all([this.#attempt(inPair), this.#attempt(inPair)]);
    await this.tools.onAttempt(this.transcript);
    for (const attempt of attempts) await this.#check(attempt);
    return attempts;
  }

  async waitUntil(atMs: number): Promise<void> {
    if (atMs > this.atMs) await this.tools.wait(atMs - this.atMs, this.tools.signal);
  }

  async #attempt(request: ProbeRequest): Promise<Attempt> {
    const { send, now, signal } = this.tools;
    signal.throwIfAborted();
    const leftMs = probeLimits.totalMs - this.atMs;
    if (leftMs <= 0) throw new Stopped(`${probeLimits.totalMs / 1000} s are over`);
    if (this.#number === probeLimits.requests)
      throw new Stopped(`${probeLimits.requests} requests were sent`);
    const sent = { number: (this.#number += 1), request, sentAtMs: this.atMs };
    const received = await send(
      wireRequest(request, this.sandbox, now()),
      Math.min(leftMs, probeLimits.attemptMs),
      signal,
    );
    const result = typeof received === 'string' ? { lost: received } : { response: this.#kept(received) };
    const attempt = { ...sent, endedAtMs: this.atMs, ...result };
    this.transcript.push(attempt);
    return attempt;
  }

  /** Ends the probe if more requests could do harm. After HTTP 429, waits for the time in Retry-After. */
  async #check(attempt: Attempt): Promise<void> {
    const { response, number } = attempt;
    if (isLink(attempt) && !mayCreate(attempt))
      throw new Stopped(`request ${number} got a payment link, although no link was expected`);
    if (isUnseenSuccess(attempt))
      throw new Stopped(
        `request ${number}, a whole order, got HTTP ${response?.httpStatus} without a readable resultStatus, and might have created a payment`,
      );
    if (response?.httpStatus !== 429) return;
    const seconds = /^\d{1,4}$/.exec(response.headers['retry-after'] ?? '')?.[0];
    if (seconds === undefined || Number(seconds) > probeLimits.retryAfterS)
      throw new Stopped(`request ${number} got HTTP 429 without a Retry-After of 5 s or less`);
    await this.waitUntil(this.atMs + Number(seconds) * 1000);
  }

  #kept({ httpStatus, headers, body = {}, isUnreadable = false }: RawResponse): ProbeResponse {
    const { resultStatus, paymentUrl } = body;
    const kept = keptHeaders.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value.slice(0, 200)] as const];
    });
    return {
      httpStatus,
      ...(isUnreadable && { isUnreadable }),
      ...(typeof resultStatus === 'string' &&
        resultStatus !== '' && { resultStatus: resultStatus.slice(0, 60) }),
      ...(typeof paymentUrl === 'string' && paymentUrl !== '' && this.#linkNumbers(paymentUrl)),
      fields: Object.keys(body)
        .slice(0, mostFields)
        .map((name) => name.slice(0, 60)),
      headers: Object.fromEntries(kept),
    };
  }

  #linkNumbers(paymentUrl: string): Pick<ProbeResponse, 'link' | 'page'> {
    const page = paymentUrl.replace(/[?#].*$/s, '');
    return { link: numberIn(this.#links, paymentUrl), page: numberIn(this.#pages, page) };
  }
}
