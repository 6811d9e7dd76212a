import ky, { HTTPError, TimeoutError, type KyInstance, type Options } from 'ky';
import { reasonOf } from '../../values/reason-of.js';
import { MockUsageError } from '../common/usage-error.js';

/** A mock answers within milliseconds; a machine that is busy may take longer. */
const answerMs = 10_000;

/** One attempt of the first call. A port may accept connections before anything answers them, as in containers. */
const attemptMs = 2000;
const pauseMs = 250;

/** The body of a refusal. */
interface Refusal {
  readonly error?: unknown;
  readonly found?: unknown;
}

/** The calls to the HTTP controls of one mock. */
export class ControlCalls {
  readonly #address: string;
  readonly #ky: KyInstance;
  #up: Promise<void> | undefined;

  constructor(
    private readonly url: URL,
    private readonly waitMs: number,
  ) {
    this.#address = url.href.replace(/\/$/, '');
    this.#ky = ky.create({ prefixUrl: `${this.#address}/_mock`, retry: 0, timeout: answerMs });
  }

  /** The JSON of an answer. */
  async read<T>(path: string, options?: Options): Promise<T> {
    const answer = await this.find<T>(path, options);
    if (answer !== undefined) return answer;
    throw new Error(`The mock at ${this.#address} has no ${path}.`);
  }

  /** The JSON of an answer; undefined for an answer without content. */
  async find<T>(path: string, options?: Options): Promise<T | undefined> {
    await this.#isUp();
    try {
      return await this.#ky(path, options).json<T>();
    } catch (error) {
      if (!(error instanceof HTTPError)) throw this.#failure(error);
      const refusal = await refusalOf(error);
      if (refusal.found === false) return undefined;
      throw this.#refused(error, refusal);
    }
  }

  async post<T>(path: string, json: unknown, timeoutMs = 0): Promise<T> {
    return this.read<T>(path, { method: 'post', json, timeout: answerMs + timeoutMs });
  }

  /** Resolves once the mock has answered for the first time. After a failure, the next call waits again. */
  #isUp(): Promise<void> {
    this.#up ??= this.#firstAnswer().catch((error: unknown) => {
      this.#up = undefined;
      throw error;
    });
    return this.#up;
  }

  /** Repeats a harmless request, so that no control acts twice. */
  async #firstAnswer(): Promise<void> {
    const end = performance.now() + this.waitMs;
    const options: Options = {
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
    };
    try {
      const health = await this.#ky('health', options).json<{ ok?: unknown } | null>();
      if (health?.ok === true) return;
    } catch (error) {
      if (error instanceof HTTPError && error.response.status < 500)
        throw this.#refused(error, await refusalOf(error));
      if (!(error instanceof SyntaxError)) throw this.#neverUp(error);
    }
    throw this.#noMock('');
  }

  #neverUp(error: unknown): Error {
    const { port, protocol } = this.url;
    const number = port || (protocol === 'https:' ? '443' : '80');
    return new Error(
      `No mock came up at ${this.#address} within ${this.waitMs} ms (${whyNone(error)}). ` +
        `Start one with: npx installment-payments mock --port ${number}`,
      behind(error),
    );
  }

  #refused({ response: { status } }: HTTPError, { error }: Refusal): Error {
    if (typeof error !== 'string') return this.#noMock(` with status ${status}`);
    return status < 500 && status !== 408 ? new MockUsageError(error) : new Error(error);
  }

  #noMock(how: string): Error {
    return new Error(`What responds at ${this.#address}${how} is not a mock of this package.`);
  }

  #failure(error: unknown): unknown {
    if (error instanceof SyntaxError) return this.#noMock('');
    // A failure of fetch has a cause; a mistake of the caller, such as a circular body, has none.
    const isTransport = error instanceof TimeoutError || (error instanceof Error && error.cause);
    if (!isTransport) return error;
    return new Error(
      `The mock at ${this.#address} was up and no longer responds (${whyNone(error)}).`,
      behind(error),
    );
  }
}

async function refusalOf({ response }: HTTPError): Promise<Refusal> {
  try {
    return (await response.json<Refusal | null>()) ?? {};
  } catch {
    return {};
  }
}

/** The error of fetch. Those of ky are left out: they hold the whole request. */
function behind(error: unknown): ErrorOptions {
  return error instanceof TimeoutError || error instanceof HTTPError ? {} : { cause: error };
}

/** Why there was no answer, such as `ECONNREFUSED`. */
function whyNone(error: unknown): string {
  if (error instanceof TimeoutError) return 'connected, but no response in time';
  if (error instanceof HTTPError) return `status ${error.response.status}`;
  return reasonOf(error instanceof Error ? (error.cause ?? error) : error);
}
