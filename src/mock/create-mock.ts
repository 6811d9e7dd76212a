import { setMaxListeners } from 'node:events';
import { setTimeout as timer } from 'node:timers/promises';
import { RefusedRequests } from './diagnosis/refused-requests.js';
import { ConfigurationError } from '../errors/errors.js';
import { secretKeyObject } from '../protocol/signature.js';
import { createFetch } from './adapters/in-process.js';
import { listen, type MockServer } from './adapters/node.js';
import { post as nodePost } from './adapters/node-post.js';
import { guard } from './controls/guard.js';
import type { MockControls } from './controls/mock-controls.js';
import { checkOwnPath, isPageRequest } from './controls/page-paths.js';
import { Script } from './state/script.js';
import { MockUsageError } from './common/usage-error.js';
import { parseMockOptions } from './mock-options.js';
import { createRoutes, servePage } from './ui/routes.js';
import type { IncomingRequest, Post, Reply } from './common/exchange.js';
import { dispatch, serviceOperations } from './service/dispatch.js';
import { registerMerchants } from './service/merchants.js';
import type { MockContext } from './service/mock-context.js';
import { ownOperation } from './service/operations/own-operation.js';
import { Changes } from './state/changes.js';
import { Journal } from './state/journal.js';
import { LenderStore } from './state/lender-store.js';
import { PaymentStore } from './state/payments.js';
import type { MockOptions, MockService } from './types.js';
import type { MockDelay } from './common/delay.js';
import { judge } from './findings/rules.js';
import { recordOf } from './findings/record.js';
import { resolveWorld, worldName } from './worlds/resolve-world.js';
import { Webhooks } from './webhooks/webhooks.js';

/** Aborted by a reset. Any number of requests may hang at once, so Node must not warn of many listeners. */
function newLifetime(): AbortController {
  const lifetime = new AbortController();
  setMaxListeners(0, lifetime.signal);
  return lifetime;
}

const systemDelay: MockDelay = (milliseconds, signal) => timer(milliseconds, undefined, { signal });

/**
 * Creates a mock of the whole service.
 *
 * @example
 * ```ts
 * import { InstallmentClient } from 'installment-payments';
 * import { createMockService, samplePaymentRequest } from 'installment-payments/mock';
 *
 * const mock = createMockService();
 * const client = new InstallmentClient(mock.clientOptions());
 * const { paymentUrl } = await client.initiatePayment(samplePaymentRequest({ referenceId: 'ORDER-1' }));
 * ```
 * @throws ConfigurationError for an invalid option.
 */
export function createMockService(options?: MockOptions): MockService;
/** @internal A simulation carries the webhooks itself. */
export function createMockService(options: MockOptions | undefined, post: Post): MockService;
export function createMockService(options: MockOptions = {}, post: Post = nodePost): MockService {
  const resolved = parseMockOptions(options);
  const { merchants, now: clock = () => new Date(), delay = systemDelay, lender, publicUrl } = resolved;
  // A copy: a test may move its own Date on.
  const now = () => new Date(clock());
  // Copied, because a caller may change its object later; `clientOptions` passes on what was given, without defaults.
  const { signatureEncoding, secretKeyEncoding, requestTimeOffset, absentFields } = options.wire ?? {};
  const changes = new Changes();
  const merchantIds = [...new Set(merchants.map(({ merchantId }) => merchantId))];
  const keyEncoding = resolved.wire.secretKeyEncoding;
  const registered = registerMerchants(merchants, keyEncoding);
  let { world } = resolved;
  const shared = { mostKept: resolved.paymentLimit, now, changes, world: () => world };
  const { webhook } = resolved;
  const secretKey =
    webhook?.secretKey === undefined ? undefined : secretKeyObject(webhook.secretKey, keyEncoding);
  const webhooks = new Webhooks(webhook, { ...shared, delay, post, merchants: registered, secretKey });
  const payments = new PaymentStore({
    ...shared,
    merchantIds,
    onEnded: (payment) => webhooks.announce(payment),
  });
  const operations = serviceOperations();
  const context: MockContext = {
    merchants: registered,
    payments,
    notifications: new LenderStore(now, changes),
    script: new Script(changes),
    journal: new Journal(resolved.journalLimit, now, changes),
    lender,
    wire: resolved.wire,
    webhooks,
    refusedRequests: new RefusedRequests(),
    uploads: resolved.uploads,
    world: () => world,
    now,
    delay,
  };
  const { notifications, script, journal, refusedRequests } = context;
  const servers = new Set<MockServer>();
  let lifetime = newLifetime();

  const checkHandled = (control: string, target: unknown) => {
    if (typeof target === 'string' && target.startsWith('/') && !operations.has(target)) {
      throw new MockUsageError(`${control}: no handler is registered for this path: call handle() first.`);
    }
  };
  const controls: MockControls = {
    payments,
    invoices: payments.invoices,
    receipts: notifications.receipts,
    allocations: notifications.allocations,
    journal,
    webhooks,
    ledger: (contractNumber) => notifications.ledger(contractNumber),
    settle: (referenceId, status, merchantId) => payments.settle(referenceId, status, merchantId),
    respondWith(operation, answer, when) {
      checkHandled('respondWith', operation);
      script.respondWith(operation, answer, when);
    },
    injectFault(operation, fault, when) {
      checkHandled('injectFault', operation);
      script.injectFault(operation, fault, when);
    },
    subscribe: (listener) => changes.subscribe(listener),
    findings: () => judge(worldName(world), recordOf(controls, resolved)),
    world: () => world,
    reset(next) {
      if (next?.world !== undefined) world = resolveWorld(next.world);
      for (const part of [payments, notifications, script, journal, webhooks, refusedRequests]) part.reset();
      const ended = lifetime;
      lifetime = newLifetime();
      ended.abort();
      changes.emit({ kind: 'reset' });
    },
  };

  const operationNames = () => Array.from(operations, ([path, { recorded }]) => recorded.operation ?? path);
  const routes = createRoutes(controls, { ...context, operationNames }, guard(resolved));
  const serve = (arrived: IncomingRequest): Promise<Reply> => {
    const request = publicUrl === undefined ? arrived : { ...arrived, baseUrl: publicUrl };
    return isPageRequest(request)
      ? servePage(routes, request)
      : dispatch(request, operations, context, lifetime.signal);
  };
  const fetch = createFetch(serve);

  const service: Omit<MockService, keyof MockControls> = {
    fetch,
    clientOptions() {
      const [first] = registered.values();
      if (!first) throw new ConfigurationError('merchants', 'must not be empty');
      const { clientId, secretKey, merchantId, storeIds } = first;
      return {
        baseUrl: 'https://mock.example',
        fetch,
        clientId,
        secretKey,
        merchantId,
        ...(storeIds[0] !== undefined && { storeId: storeIds[0] }),
        platformId: 'WEBSHOP',
        wire: { signatureEncoding, secretKeyEncoding, requestTimeOffset, absentFields },
      };
    },
    async listen(at) {
      const server = await listen(serve, at);
      servers.add(server);
      const close = async () => {
        await server.close();
        if (servers.delete(server) && servers.size === 0) webhooks.end();
      };
      return { ...server, close, [Symbol.asyncDispose]: close };
    },
    handle(path, handler) {
      checkOwnPath(path);
      if (typeof handler !== 'function') throw new MockUsageError('handle: the handler must be a function.');
      operations.set(path, ownOperation(path, handler));
    },
  };
  return Object.assign(controls, service);
}
