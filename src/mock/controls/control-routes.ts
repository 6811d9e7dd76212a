import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import * as z from 'zod';
import { ConfigurationError } from '../../errors/errors.js';
import { operations } from '../../protocol/endpoints.js';
import type { JournalEntry, JournalMatch } from '../state/journal-types.js';
import { settleSchema, type Announced } from '../state/payments.js';
import type { MockControls } from './mock-controls.js';
import type { Routes } from './guard.js';
import { injectFaultSchema, respondWithSchema } from '../state/script.js';
import { checked, MockUsageError, wordFrom } from '../wire/usage-error.js';

const longestWaitMs = 60_000;

/** Fields that an entry must have. JSON has no dates: the only one of an entry is sent as text. */
const match = z.looseObject({ at: z.iso.datetime().pipe(z.coerce.date()).optional() });
const searchSchema = z.strictObject({ match });

const waitSchema = z.strictObject({
  match,
  timeoutMs: z.number().min(0).max(longestWaitMs).default(2000),
});

/** The fields that the journal can be filtered by. */
const journalQuerySchema = z.strictObject({
  operation: wordFrom(operations).optional(),
  referenceId: z.string().optional(),
  idempotencyKey: z.string().optional(),
  lenderTransactionCode: z.string().optional(),
  requestId: z.string().optional(),
  resultStatus: z.string().optional(),
});

// resolveWorld checks the value.
const resetSchema = z.strictObject({ world: z.unknown().optional() });
type ResetOptions = NonNullable<Parameters<MockControls['reset']>[0]>;

async function bodyOf<Schema extends z.ZodType>(context: Context, schema: Schema): Promise<z.output<Schema>> {
  let value: unknown;
  try {
    value = await context.req.json();
  } catch {
    throw new MockUsageError('The body is not JSON.');
  }
  return checked(schema, context.req.path, value);
}

/** Routes that list a store and look up one record by its key. */
function readOnly(
  routes: Routes,
  path: string,
  store: { all(): unknown[]; get(key: string, merchantId?: string): unknown },
): void {
  routes.get(path, (context) => context.json(store.all()));
  routes.get(`${path}/:key`, (context) => {
    const found = store.get(context.req.param('key'), context.req.query('merchantId'));
    return found === undefined ? notFound(context) : context.json(found);
  });
}

/** One entry in full. Lists leave the explanations out: making a hundred of them takes seconds. */
function inFull(entry: JournalEntry): JournalEntry {
  const { diagnosis } = entry;
  return diagnosis ? { ...entry, diagnosis } : entry;
}

function notFound(context: Context): Response {
  return context.json({ error: 'Nothing was found.', found: false }, 404);
}

/** The controls of a mock over HTTP, for tests in another process or language. The journal leaves them out. */
export function controlRoutes(mock: MockControls, announced: Announced): Routes {
  const routes: Routes = new Hono();

  routes.post('/respond', async (context) => {
    const { operation, answer, ...options } = await bodyOf(context, respondWithSchema);
    mock.respondWith(operation, answer, options);
    return context.json({ ok: true });
  });
  routes.post('/faults', async (context) => {
    const { operation, fault, ...options } = await bodyOf(context, injectFaultSchema);
    mock.injectFault(operation, fault, options);
    return context.json({ ok: true });
  });
  routes.post('/settle', async (context) => {
    const { referenceId, status, merchantId } = await bodyOf(context, settleSchema);
    const payment = mock.settle(referenceId, status, merchantId);
    await announced(payment);
    return context.json(payment);
  });
  routes.get('/findings', (context) => context.json(mock.findings()));
  routes.get('/world', (context) => context.json(mock.world()));
  routes.post('/reset', async (context) => {
    const isEmpty = (await context.req.text()).trim() === '';
    mock.reset(isEmpty ? {} : ((await bodyOf(context, resetSchema)) as ResetOptions));
    return context.json({ ok: true });
  });

  routes.get('/health', (context) => context.json({ ok: true }));
  routes.get('/journal', (context) => {
    const match = checked(journalQuerySchema, context.req.path, context.req.query());
    return context.json(mock.journal.filter(match as JournalMatch));
  });
  routes.post('/journal/find', async (context) => {
    const { match } = await bodyOf(context, searchSchema);
    const entry = mock.journal.find(match as JournalMatch);
    return entry ? context.json(inFull(entry)) : notFound(context);
  });
  routes.post('/journal/filter', async (context) => {
    const { match } = await bodyOf(context, searchSchema);
    return context.json(mock.journal.filter(match as JournalMatch));
  });
  routes.post('/journal/wait', async (context) => {
    const { match, timeoutMs } = await bodyOf(context, waitSchema);
    try {
      return context.json(inFull(await mock.journal.waitFor(match as JournalMatch, { timeoutMs })));
    } catch (error) {
      return context.json({ error: (error as Error).message }, 408);
    }
  });
  routes.get('/journal/:id', (context) => {
    const entry = mock.journal.get(Number(context.req.param('id')));
    return entry ? context.json(inFull(entry)) : notFound(context);
  });
  readOnly(routes, '/payments', mock.payments);
  readOnly(routes, '/invoices', mock.invoices);
  readOnly(routes, '/receipts', mock.receipts);
  readOnly(routes, '/allocations', mock.allocations);
  readOnly(routes, '/webhooks', mock.webhooks);
  routes.post('/webhooks/:id/resend', (context) =>
    context.json(mock.webhooks.resend(context.req.param('id'))),
  );
  routes.get('/ledger', (context) => context.json(mock.contracts()));
  routes.get('/ledger/:contractNumber', (context) =>
    context.json(mock.ledger(context.req.param('contractNumber'))),
  );

  routes.onError((error, context) => {
    if (error instanceof MockUsageError || error instanceof ConfigurationError)
      return context.json({ error: error.message }, 400);
    return context.json({ error: `The mock failed: ${error.message}` }, 500);
  });
  return routes;
}
