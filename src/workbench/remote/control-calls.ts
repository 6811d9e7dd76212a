import ky, { HTTPError, TimeoutError, type KyInstance, type Options } from 'ky';
import { reasonOf } from '../../values/reason-of.js';
import { isRecord, readProperty } from '../../values/untrusted-values.js';
import { MockUsageError } from '../../errors/usage-error.js';

/** The time limit of a call. A mock responds within milliseconds, but the machine can be busy. */
const answerMs = 10_000;

/**
 * The time limit of one attempt of the first call. In containers, a port can accept connections before the mock
 * responds.
 */
const attemptMs = 2000;
const pauseMs = 250;

// ky does not repeat a POST, because the control might have acted. A Retry-After is ignored, because it could be longer
// than waitMs.
const retry = { backoffLimit: pauseMs, statusCodes: [502, 503, 504], afterStatusCodes: [] };

/** The calls to the HTTP controls of one mock. */
export class ControlCalls {
  readonly #address: string;
  readonly #ky: KyInstance;
  #up: Promise<unknown> | undefined;
  #wasUp = false;

  constructor(
    private readonly url: URL,
    private readonly waitMs: number,
  ) {
    this.#address = url.href.replace(/\/$/, '');
    const parseJson = (text: string) => withDates(JSON.parse(text));
    this.#ky = ky.create({ prefixUrl: `${this.#address}/_mock`, retry, timeout: answerMs, parseJson });
  }

  /** Returns the JSON of a response; undefined for a record that does not exist. */
  async read<T>(path: string, options?: Options): Promise<T> {
    await (this.#up ??= this.#firstResponse());
    return this.#send<T>(path, options);
  }

  post<T>(path: string, json: unknown, timeoutMs = 0): Promise<T> {
    return this.read<T>(path, { method: 'post', json, timeout: answerMs + timeoutMs });
  }

  /** Resolves once the mock has responded for the first time. After a failure, the next call waits again. */
  async #firstResponse(): Promise<void> {
    const end = performance.now() + this.waitMs;
    // If this function returns undefined, ky decides with the settings of `retry`.
    const shouldRetry = () => (performance.now() + pauseMs < end ? undefined : false);
    const untilUp = { ...retry, limit: Infinity, retryOnTimeout: true, shouldRetry };
    try {
      const health = await this.#send('health', { timeout: attemptMs, retry: untilUp });
      if (readProperty(health, 'ok') !== true) throw this.#noMock();
      this.#wasUp = true;
    } catch (error) {
      this.#up = undefined;
      throw error;
    }
  }

  async #send<T>(path: string, options?: Options): Promise<T> {
    try {
      return await this.#ky(path, options).json<T>();
    } catch (error) {
      if (!(error instanceof HTTPError)) throw this.#failure(error);
      const { status } = error.response;
      const body: unknown = await error.response.json().catch(() => undefined);
      if (readProperty(body, 'found') === false) return undefined as T;
      const refusal = readProperty(body, 'error');
      if (typeof refusal === 'string')
        throw status < 500 && status !== 408 ? new MockUsageError(refusal) : new Error(refusal);
      // ky's error is not passed on as the cause, because ky's error contains the whole request.
      throw status < 500 ? this.#noMock(` with status ${status}`) : this.#noResponse(`status ${status}`);
    }
  }

  #failure(error: unknown): unknown {
    if (error instanceof SyntaxError) return this.#noMock();
    if (error instanceof TimeoutError) return this.#noResponse('connected, but no response in time');
    // An error of fetch has a cause. An error of the caller, such as a circular body, has no cause.
    const cause = readProperty(error, 'cause');
    return cause === undefined ? error : this.#noResponse(reasonOf(cause), error);
  }

  #noMock(how = ''): Error {
    return new Error(`The server at ${this.#address} responds${how}, but is not a mock of this package.`);
  }

  #noResponse(why: string, cause?: unknown): Error {
    const port = this.url.port || (this.url.protocol === 'https:' ? '443' : '80');
    const message = this.#wasUp
      ? `The mock at ${this.#address} was up and no longer responds (${why}).`
      : `No mock came up at ${this.#address} within ${this.waitMs} ms (${why}). Start one with: npx installment-payments mock --port ${port}`;
    return new Error(message, cause === undefined ? {} : { cause });
  }
}

/**
 * Converts the dates of records, and of the `tries` of webhooks, to `Date`. The name of each date is `at` or ends in
 * `At`. Other nested values come from a caller of the service and stay unchanged.
 */
export function withDates(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withDates);
  if (!isRecord(json)) return json;
  const entries = Object.entries(json).map(([name, value]) => {
    if (name === 'tries') return [name, withDates(value)];
    return [name, /^at$|At$/.test(name) && typeof value === 'string' ? new Date(value) : value];
  });
  return Object.fromEntries(entries);
}
