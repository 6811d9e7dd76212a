import { ConfigurationError } from '../errors/errors.js';
import { bounded } from '../http/bounded.js';
import { systemRuntime } from '../http/runtime.js';
import { checkedClient, type CheckedOptions, type OrdersClient } from './options.js';

/** A lookup that takes longer than this keeps no other order of the account waiting in a sweep. */
const patienceMs = 50;

/** The clients of a shop: one, or one for each account. */
export class MerchantClients {
  readonly #given: CheckedOptions['client'];
  readonly #claimMs: number;
  /** Lookups that a sweep has begun, by account. */
  readonly #pending = new Map<string | undefined, Promise<OrdersClient>>();

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

  /** The client of an account. It rejects with what the shop's function throws, and if that takes longer than a claim. */
  async of(account: string | undefined): Promise<OrdersClient> {
    const given = this.#given;
    if (typeof given !== 'function') return given;
    const looked = await bounded(async () => given(account), {
      ms: this.#claimMs,
      signal: undefined,
      runtime: systemRuntime,
    });
    if (looked.ended === 'done') return checkedClient(looked.value);
    if (looked.ended === 'failed') throw looked.error;
    throw new ConfigurationError('client', `did not return a client within ${this.#claimMs} ms`);
  }

  /**
   * The client of an account, for a sweep: `'busy'` if another order has been waiting for it for a moment, so that an account
   * whose lookup hangs costs the sweep one place.
   */
  async inSweep(account: string | undefined): Promise<OrdersClient | 'busy'> {
    const pending = this.#pending.get(account);
    if (pending) {
      const timer = new Promise<'busy'>((resolve) => {
        setTimeout(resolve, patienceMs, 'busy').unref();
      });
      return Promise.race([pending, timer]);
    }
    const lookup = this.of(account);
    this.#pending.set(account, lookup);
    try {
      return await lookup;
    } finally {
      this.#pending.delete(account);
    }
  }
}
