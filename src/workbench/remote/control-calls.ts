import ky, { HTTPError, TimeoutError, type KyInstance, type Options } from 'ky';
import { reasonOf } from '../../values/reason-of.js';
import { isRecord } from '../../values/untrusted-values.js';
import { MockUsageError } from '../../mock/common/usage-error.js';

/** A mock answers within milliseconds; a machine that is busy may take longer. */
const answerMs = 10_000;

/** One attempt of the first call. A port may accept connections before anything answers them, as in containers. */
const attemptMs = 2000;
const pauseMs = 250;

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
    this.#ky = ky.create({ prefixUrl: `${this.#address}/_mock`, retry: 0, timeout: answerMs, parseJson });
  }

  /** The JSON of an answer; undefined for a record that does not exist. */
  async read<T>(path: string, options?: Options): Promise<T> {
    await (this.#up ??= this.#firstAnswer());
    return this.#send<T>(path, options);
  }

  async post<T>(path: string, json: unknown, timeoutMs = 0): Promise<T> {
    return this.read<T>(path, { method: 'post', json, timeout: answerMs + timeoutMs });
  }

  /**
   * Resolves once the mock has answered for the first time. It repeats a harmless request, so that no control acts twice.
   * After a failure, the next call waits again.
   */
  async #firstAnswer(): Promise<void> {
    const end = performance.now() + this.waitMs;
    try {
      const health = await this.#send<unknown>('health', {
        timeout: attemptMs,
        retry: {
          limit: Infinity,
          backoffLimit: pauseMs,
          retryOnTimeout: true,
          statusCodes: [502, 503, 504],
          // A Retry-After could ask for longer than waitMs.
          afterStatusCodes: [],
          shouldRetry: () => (performance.now() + pauseMs < end ? undefined : false),
        },
      });
      if (!isRecord(health) || health['ok'] !== true) throw this.#noMock('');
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
      const { found, error: refusal }: Refusal = error instanceof HTTPError ? await refusalOf(error) : {};
      if (found === false) return undefined as T;
      throw this.#failure(error, refusal);
    }
  }

  /** The error of a call, with the words of the mock if it refused. */
  #failure(error: unknown, refusal: unknown): unknown {
    const status = error instanceof HTTPError ? error.response.status : undefined;
    if (typeof refusal === 'string') {
      return status !== undefined && status < 500 && status !== 408
        ? new MockUsageError(refusal)
        : new Error(refusal);
    }
    if (error instanceof SyntaxError || (status !== undefined && status < 500)) {
      return this.#noMock(status === undefined ? '' : ` with status ${status}`);
    }
    // The errors of ky are left out as a cause: they hold the whole request.
    if (status !== undefined) return new Error(this.#noAnswer(`status ${status}`));
    if (error instanceof TimeoutError) return new Error(this.#noAnswer('connected, but no response in time'));
    // A failure of fetch has a cause; a mistake of the caller, such as a circular body, has none.
    if (!(error instanceof Error && error.cause)) return error;
    return new Error(this.#noAnswer(reasonOf(error.cause)), { cause: error });
  }

  #noMock(how: string): Error {
    return new Error(`What responds at ${this.#address}${how} is not a mock of this package.`);
  }

  #noAnswer(why: string): string {
    if (this.#wasUp) return `The mock at ${this.#address} was up and no longer responds (${why}).`;
    const port = this.url.port || (this.url.protocol === 'https:' ? '443' : '80');
    return (
      `No mock came up at ${this.#address} within ${this.waitMs} ms (${why}). ` +
      `Start one with: npx installment-payments mock --port ${port}`
    );
  }
}

/** The body of a refusal. */
interface Refusal {
  readonly error?: unknown;
  readonly found?: unknown;
}

async function refusalOf({ response }: HTTPError): Promise<Refusal> {
  const json: unknown = await response.json().catch(() => undefined);
  return isRecord(json) ? json : {};
}

/**
 * Records with their own dates as `Date`, and the dates of their tries: the names of all end in `at`. What else is nested
 * came from a caller of the service and stays as it is.
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
