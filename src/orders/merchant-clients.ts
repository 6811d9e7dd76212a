import { ConfigurationError } from '../errors/errors.js';
import { withTimeLimit } from '../values/time-limit.js';
import { checkedClient, type CheckedOptions, type OrdersClient } from './options.js';

/** The time after which other orders of an account stop waiting for a lookup in a sweep. */
const patienceMs = 1_000;

interface Lookup {
  readonly client: Promise<OrdersClient>;
  /** Resolves when other orders of the account stop waiting. */
  readonly isSlow: Promise<'busy'>;
}

function busyAfter(ms: number): Promise<'busy'> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms, 'busy').unref();
  });
}

/** The clients of a shop: one, or one for each account. */
export class MerchantClients {
  readonly #given: CheckedOptions['client'];
  readonly #claimMs: number;
  /** The lookups that a sweep has begun, by account. */
  readonly #lookups = new Map<string | undefined, Lookup>();

  constructor({ client, claimMs }: Pick<CheckedOptions, 'client' | 'claimMs'>) {
    this.#given = client;
    this.#claimMs = claimMs;
  }

  /** The client, if the shop has only one. */
  get only(): OrdersClient | undefined {
    return typeof this.#given === 'function' ? undefined : this.#given;
  }

  /** @throws ConfigurationError if the shop has several merchants and the call names none. */
  checkAccount(account: string | undefined): void {
    if (!this.only && account === undefined)
      throw new ConfigurationError(
        'account',
        'is required, because client is a function: pass { account } to say whose order it is',
      );
  }

  /** Resolves to the client of an account. Rejects if the shop's function throws, or takes longer than a claim. */
  async of(account: string | undefined): Promise<OrdersClient> {
    const given = this.#given;
    if (typeof given !== 'function') return given;
    const looked = await withTimeLimit(this.#claimMs, undefined, async () => given(account));
    if (looked.ended === 'done') return checkedClient(looked.value);
    if (looked.ended === 'failed') throw looked.error;
    throw new ConfigurationError('client', `did not return a client within ${this.#claimMs} ms`);
  }

  /**
   * Resolves to the client of an account, for a sweep, or to `'busy'` if another order has waited for it for a while.
   * `onSlow` is called if this order began the lookup and it is slow, so that the sweep can move another order
   * meanwhile. After a slow failure, other orders of the account get the same failure without a lookup of their own,
   * for as long as the lookup took.
   */
  async inSweep(account: string | undefined, onSlow?: () => void): Promise<OrdersClient | 'busy'> {
    const earlier = this.#lookups.get(account);
    if (earlier) return Promise.race([earlier.client, earlier.isSlow]);
    const begunAt = performance.now();
    const client = this.of(account);
    const isSlow = busyAfter(patienceMs);
    this.#lookups.set(account, { client, isSlow });
    const ended = client.then(
      () => 'ended',
      () => 'ended',
    );
    void Promise.race([ended, isSlow]).then((first) => {
      if (first === 'busy') onSlow?.();
    });
    const forget = () => this.#lookups.delete(account);
    try {
      const found = await client;
      forget();
      return found;
    } catch (error) {
      const tookMs = performance.now() - begunAt;
      if (tookMs < patienceMs) forget();
      else setTimeout(forget, tookMs).unref();
      throw error;
    }
  }
}
