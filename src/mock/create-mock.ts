import * as z from 'zod/mini';
import { setMaxListeners } from 'node:events';
import { ConfigurationError } from '../errors/errors.js';
import { objectError, oneOf } from '../validation/rules.js';
import { secretKeyObject } from '../validation/secret-key.js';
import type { ResolvedWireSwitches } from '../protocol/wire-switches.js';
import { pause } from '../values/time-limit.js';
import { orUndefined } from '../values/untrusted-values.js';
import { createFetch } from './adapters/in-process.js';
import { listen, type ListenOptions, type MockServer } from './adapters/node.js';
import type { MockClientOptions, MockFetch } from './adapters/mock-client-options.js';
import type { MockDelay } from './common/faults.js';
import type { Diagnose } from './state/diagnosis.js';
import type { IncomingRequest, Post, Reply } from './common/exchange.js';
import type { ResolvedLenderOptions } from './state/mock-lender-options.js';
import { checked, MockUsageError } from '../errors/usage-error.js';
import { guard } from './controls/guard.js';
import type { Routes } from './ui/routes.js';
import type { MockControls } from './controls/mock-controls.js';
import { checkOwnPath, isPageRequest } from './controls/page-paths.js';
import { parseMockOptions } from './mock-options.js';
import { createRoutes, servePage } from './page-routes.js';
import { dispatch, serviceOperations } from './service/dispatch.js';
import { registerMerchants, type RegisteredMerchant } from './service/merchants.js';
import type { MockContext } from './service/mock-context.js';
import { ownOperation, type OwnHandler, type OwnNotification } from './service/operations/own-operation.js';
import { Changes } from './state/changes.js';
import { Journal } from './state/journal.js';
import { KeptBytes } from './state/kept-bytes.js';
import { LenderStore } from './state/lender-store.js';
import { PaymentStore } from './state/payments.js';
import { RefusedRequests } from './state/refused-requests.js';
import { Script } from './state/script.js';
import type { MockOptions } from './mock-types.js';
import { post as nodePost } from './webhooks/post-webhook.js';
import { Webhooks } from './webhooks/webhooks.js';
import type { Scenario } from './scenarios/scenario.js';
import { resolveScenario } from './scenarios/resolve-scenario.js';

/**
 * The tools whose results a mock shows. The workbench passes them in, because the mock imports nothing from the
 * workbench.
 */
export interface MockTools {
  readonly diagnose: Diagnose;
  /** Creates the routes of the inspector, below `/_mock`. */
  routes(mock: Mock): Routes;
}

/**
 * Creates a controller that a reset aborts. Any number of requests can hang at once, so Node must not warn of many
 * listeners.
 */
function newLifetime(): AbortController {
  const lifetime = new AbortController();
  orUndefined(() => setMaxListeners(0, lifetime.signal)); // in jsdom, the signal is not Node's
  return lifetime;
}

/** An address that only `fetch` serves. */
const inMemoryUrl = 'https://mock.example';

const handleSchema = z.strictObject(
  { sender: z.optional(oneOf(['merchant', 'lender'])) },
  objectError("{ sender: 'lender' }"),
);

/** One mock. Two mocks share no state. */
export class Mock implements MockContext, MockControls {
  readonly merchants: ReadonlyMap<string, RegisteredMerchant>;
  readonly payments: PaymentStore;
  readonly lenderNotifications: LenderStore;
  readonly script: Script;
  readonly journal: Journal;
  readonly webhooks: Webhooks;
  readonly refusedRequests = new RefusedRequests();
  readonly operations = serviceOperations();
  readonly lender: ResolvedLenderOptions;
  readonly wire: ResolvedWireSwitches;
  readonly uploads: 'paid' | 'any';
  readonly hasWebhook: boolean;
  readonly diagnose: Diagnose;
  readonly delay: MockDelay;
  // The Date is copied, because a test might change its own Date later.
  readonly now = () => new Date(this.#clock());
  readonly scenario = () => this.#scenario;
  readonly fetch: MockFetch;
  readonly #changes = new Changes();
  readonly #kept: KeptBytes;
  readonly #servers = new Set<MockServer>();
  readonly #clock: () => Date;
  readonly #clientWire: MockClientOptions['wire'];
  readonly #publicUrl: string | undefined;
  readonly #routes: Routes;
  #scenario: Scenario;
  #lifetime = newLifetime();

  constructor(options: MockOptions, tools: MockTools, post: Post = nodePost) {
    const resolved = parseMockOptions(options);
    const { merchants, now: clock = () => new Date(), delay = pause, webhook } = resolved;
    this.#clock = clock;
    this.#scenario = resolved.scenario;
    this.#publicUrl = resolved.publicUrl;
    // The switches are copied, because a caller might change its object later. `clientOptions` passes the copy on,
    // without defaults.
    const { signatureEncoding, secretKeyEncoding, requestTimeOffset, absentFields } = options.wire ?? {};
    this.#clientWire = { signatureEncoding, secretKeyEncoding, requestTimeOffset, absentFields };
    this.lender = resolved.lender;
    this.wire = resolved.wire;
    this.uploads = resolved.uploads;
    this.hasWebhook = webhook !== undefined;
    this.diagnose = tools.diagnose;
    this.delay = delay;
    const keyEncoding = resolved.wire.secretKeyEncoding;
    this.merchants = registerMerchants(merchants, keyEncoding);
    const { now, scenario } = this;
    this.#kept = new KeptBytes(resolved.keptBytesLimit);
    const shared = {
      mostKept: resolved.paymentLimit,
      kept: this.#kept,
      now,
      changes: this.#changes,
      scenario,
    };
    const secretKey =
      webhook?.secretKey === undefined ? undefined : secretKeyObject(webhook.secretKey, keyEncoding);
    this.webhooks = new Webhooks(webhook, { ...shared, delay, post, merchants: this.merchants, secretKey });
    this.payments = new PaymentStore({
      ...shared,
      merchantIds: [...new Set(merchants.map(({ merchantId }) => merchantId))],
      onSettled: (payment) => this.webhooks.announce(payment),
    });
    this.lenderNotifications = new LenderStore(now, this.#changes, resolved.lender.reversals, this.#kept);
    this.script = new Script(this.#changes);
    this.journal = new Journal(resolved.journalLimit, now, this.#changes, this.#kept);
    this.#routes = createRoutes(this, guard(resolved), tools.routes(this));
    this.fetch = createFetch(
      (request) => this.#serve(request),
      () => [inMemoryUrl, resolved.publicUrl ?? [], Array.from(this.#servers, ({ url }) => url)].flat(),
    );
  }

  get invoices() {
    return this.payments.invoices;
  }

  get receipts() {
    return this.lenderNotifications.receipts;
  }

  get allocations() {
    return this.lenderNotifications.allocations;
  }

  // These functions are fields, so that a test can destructure them.
  readonly ledger: MockControls['ledger'] = (contractNumber) =>
    this.lenderNotifications.ledger(contractNumber);

  readonly settle: MockControls['settle'] = (...given) => this.payments.settle(...given);

  readonly respondWith: MockControls['respondWith'] = (operation, ...given) => {
    this.#checkHandled('respondWith', operation);
    this.script.respondWith(operation, ...given);
  };

  readonly injectFault: MockControls['injectFault'] = (operation, ...given) => {
    this.#checkHandled('injectFault', operation);
    this.script.injectFault(operation, ...given);
  };

  #checkHandled(control: string, target: unknown): void {
    if (typeof target === 'string' && target.startsWith('/') && !this.operations.has(target)) {
      throw new MockUsageError(`${control}: no handler is registered for this path: call handle() first.`);
    }
  }

  readonly clearScript = (): void => {
    this.script.reset();
    this.#changes.emit({ kind: 'script' });
  };

  readonly subscribe: MockControls['subscribe'] = (listener) => this.#changes.subscribe(listener);

  readonly reset: MockControls['reset'] = (next) => {
    if (next?.scenario !== undefined) this.#scenario = resolveScenario(next.scenario);
    const { payments, lenderNotifications, script, journal, webhooks, refusedRequests } = this;
    for (const part of [payments, lenderNotifications, script, journal, webhooks, refusedRequests])
      part.reset();
    this.#kept.reset();
    const earlier = this.#lifetime;
    this.#lifetime = newLifetime();
    earlier.abort();
    this.#changes.emit({ kind: 'reset' });
  };

  clientOptions(): MockClientOptions {
    const [first] = this.merchants.values();
    if (!first) throw new ConfigurationError('merchants', 'must not be empty');
    const { clientId, secretKey, merchantId, storeIds } = first;
    return {
      baseUrl: inMemoryUrl,
      fetch: this.fetch,
      clientId,
      secretKey,
      merchantId,
      ...(storeIds[0] !== undefined && { storeId: storeIds[0] }),
      platformId: 'WEBSHOP',
      wire: { ...this.#clientWire },
    };
  }

  async listen(at?: ListenOptions): Promise<MockServer> {
    const server = await listen((request) => this.#serve(request), at);
    this.#servers.add(server);
    const close = async () => {
      await server.close();
      if (this.#servers.delete(server) && this.#servers.size === 0) this.webhooks.end();
    };
    return { ...server, close, [Symbol.asyncDispose]: close };
  }

  handle(
    path: `/${string}`,
    handler: OwnHandler | OwnHandler<OwnNotification>,
    options: { readonly sender?: 'merchant' | 'lender' | undefined } = {},
  ): void {
    checkOwnPath(path);
    if (typeof handler !== 'function') throw new MockUsageError('handle: the handler must be a function.');
    const { sender = 'merchant' } = checked(handleSchema, 'handle', options);
    this.operations.set(path, ownOperation(path, handler, sender));
  }

  /** The names of the service's operations, then the paths that `handle` registered. */
  operationNames(): string[] {
    return Array.from(this.operations, ([path, { recorded }]) => recorded.operation ?? path);
  }

  async #serve(arrived: IncomingRequest): Promise<Reply> {
    const request = this.#publicUrl === undefined ? arrived : { ...arrived, baseUrl: this.#publicUrl };
    return isPageRequest(request)
      ? servePage(this.#routes, request)
      : dispatch(request, this, this.#lifetime.signal);
  }
}
