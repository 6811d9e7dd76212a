import { ConfigurationError } from '../errors/errors.js';
import { withTimeLimit } from '../values/time-limit.js';
import { checkedClient, type CheckedOptions, type OrdersClient } from './options.js';

/** The time after which a lookup of a client is slow. Other orders of the account then stop waiting for the lookup. */
const slowAfterMs = 1_000;

interface Lookup {
  readonly client: Promise<OrdersClient>;
  /** Resolves `slowAfterMs` after the lookup began. */
  readonly slow: Promise<'lookup-is-slow'>;
}

function slowLookupAfter(ms: number): Promise<'lookup-is-slow'> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms, 'lookup-is-slow').unref();
  });
}

/** The clients of a shop: one client, or one client for each account. */
export class MerchantClients {
  readonly #client: CheckedOptions['client'];
  readonly #claimMs: number;
  /** The lookups that orders share, by account. */
  readonly #lookups = new Map<string | undefined, Lookup>();

  constructor({ client, claimMs }: Pick<CheckedOptions, 'client' | 'claimMs'>) {
    this.#client = client;
    this.#claimMs = claimMs;
  }

  /** The client of a shop with only one client; undefined if `client` is a function. */
  get single(): OrdersClient | undefined {
    return typeof this.#client === 'function' ? undefined : this.#client;
  }

  /** @throws ConfigurationError if `client` is a function and the call names no account. */
  checkAccount(account: string | undefined): void {
    if (!this.single && account === undefined)
      throw new ConfigurationError(
        'account',
        'is required, because client is a function: pass { account }, the merchant of the order',
      );
  }

  /**
   * Resolves to the client of an account. Rejects if the option `client` is a function that fails, or that needs more
   * than `claimMs` milliseconds.
   */
  async of(account: string | undefined): Promise<OrdersClient> {
    const client = this.#client;
    if (typeof client !== 'function') return client;
    const lookup = await withTimeLimit(this.#claimMs, undefined, async () => client(account));
    if (lookup.ended === 'done') return checkedClient(lookup.value);
    if (lookup.ended === 'failed') throw lookup.error;
    throw new ConfigurationError('client', `did not return a client within ${this.#claimMs} ms`);
  }

  /**
   * Resolves to the client of an account. Orders that need the client at the same time share one lookup. If the lookup
   * is slow, the order that began the lookup keeps waiting, and its `onSlow` is called, so that a sweep can process
   * another order meanwhile. For the other orders of the account, the promise resolves to `'lookup-is-slow'`.
   *
   * If a slow lookup fails, its error is kept for as long as the lookup took. During that time, the other orders of
   * the account get this error without another lookup.
   */
  async fromSharedLookup(
    account: string | undefined,
    onSlow?: () => void,
  ): Promise<OrdersClient | 'lookup-is-slow'> {
    const earlier = this.#lookups.get(account);
    if (earlier) return Promise.race([earlier.client, earlier.slow]);
    const begunAt = performance.now();
    const client = this.of(account);
    const slow = slowLookupAfter(slowAfterMs);
    this.#lookups.set(account, { client, slow });
    const ended = client.then(
      () => 'ended',
      () => 'ended',
    );
    void Promise.race([ended, slow]).then((first) => {
      if (first === 'lookup-is-slow') onSlow?.();
    });
    const removeLookup = () => this.#lookups.delete(account);
    try {
      const found = await client;
      removeLookup();
      return found;
    } catch (error) {
      const tookMs = performance.now() - begunAt;
      if (tookMs < slowAfterMs) removeLookup();
      else setTimeout(removeLookup, tookMs).unref();
      throw error;
    }
  }
}
