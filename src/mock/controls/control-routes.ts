import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { ConfigurationError } from '../../errors/errors.js';
import { operations } from '../../protocol/endpoints.js';
import { objectError, boolean, oneOf, numberFrom } from '../../validation/rules.js';
import { longestWaitMs } from '../../protocol/limits.js';
import type { JournalEntry, JournalMatch } from '../state/journal-types.js';
import { settleSchema } from '../state/payment-record.js';
import type { Webhooks } from '../webhooks/webhooks.js';
import type { MockControls } from './mock-controls.js';
import type { Routes } from '../ui/routes.js';
import { injectFaultSchema, respondWithSchema } from '../state/script.js';
import { isRecord, tryParseJson } from '../../values/untrusted-values.js';
import { checked, MockUsageError } from '../../errors/usage-error.js';
import type { ScenarioOption } from '../scenarios/resolve-scenario.js';

const instantRule = 'must be a date and time in ISO 8601, such as 2026-11-20T03:04:05Z';

const instant = z.optional(z.pipe(z.iso.datetime(instantRule), z.coerce.date()));

/** The fields that an entry must have. JSON has no dates, so both times of an entry are sent as text. */
const match = z.pipe(
  z.looseObject({ at: instant, completedAt: instant }, objectError()),
  z.transform((fields) => fields as JournalMatch),
);
const searchSchema = z.strictObject({ match }, objectError());
const findSchema = z.strictObject({ match, last: z._default(boolean, false) }, objectError());

const waitSchema = z.strictObject(
  { match, timeoutMs: z._default(numberFrom(0, longestWaitMs), 2000) },
  objectError(),
);

/** The fields by which the journal can be filtered. */
const journalQuerySchema = z.strictObject({
  operation: z.optional(oneOf(operations)),
  referenceId: z.optional(z.string()),
  idempotencyKey: z.optional(z.string()),
  lenderTransactionCode: z.optional(z.string()),
  requestId: z.optional(z.string()),
  resultStatus: z.optional(z.string()),
});

// `resolveScenario` checks the value.
const resetSchema = z.strictObject({ scenario: z.optional(z.custom<ScenarioOption>()) }, objectError());

const numberFields: ReadonlySet<string> = new Set(['times', 'answer.httpStatus', 'fault.delayMs']);

/**
 * Converts the fields of a form to JSON. `answer.httpStatus` becomes a member of `answer`. Empty fields are left out.
 */
function fieldsIn(form: string): unknown {
  const fields = Object.create(null) as Record<string, unknown>;
  for (const [name, typed] of new URLSearchParams(form)) {
    const text = typed.trim();
    if (text === '') continue;
    const value = numberFields.has(name) ? Number(text) : text;
    const [outer = '', inner] = name.split('.', 2);
    const others = isRecord(fields[outer]) ? fields[outer] : {};
    fields[outer] = inner === undefined ? value : { ...others, [inner]: value };
  }
  return fields;
}

/** Reads the arguments from a body, which is JSON or a form. An empty body has no arguments. */
async function bodyOf<T extends object>(context: Context, schema: z.ZodMiniType<T>): Promise<T> {
  const text = (await context.req.text()).trim();
  // The first character decides, because curl declares every body as a form.
  const value = /^[\w.]+=/.test(text) ? fieldsIn(text) : tryParseJson(text || '{}');
  if (value === undefined) throw new MockUsageError('The body is not JSON.');
  return checked(schema, context.req.path, value);
}

/** Returns one entry with its diagnosis. Lists leave the diagnoses out, because a hundred of them take seconds. */
function inFull(entry: JournalEntry | undefined): JournalEntry | undefined {
  const diagnosis = entry?.diagnosis;
  return diagnosis ? { ...entry, diagnosis } : entry;
}

function foundOr404(context: Context, result: unknown): Response {
  return result === undefined
    ? context.json({ error: 'Nothing was found.', found: false }, 404)
    : context.json(result);
}

const done = { ok: true };

/**
 * Creates the HTTP routes of a mock's controls, for tests in another process or language. The journal does not contain
 * the requests to these routes.
 */
export function controlRoutes(mock: MockControls & { readonly webhooks: Webhooks }): Routes {
  const routes: Routes = new Hono();
  const get = (path: string, read: (key: string, context: Context) => unknown) =>
    routes.get(path, (context) => foundOr404(context, read(context.req.param('key') ?? '', context)));
  const post = <T extends object>(path: string, schema: z.ZodMiniType<T>, act: (body: T) => unknown) =>
    routes.post(path, async (context) => foundOr404(context, await act(await bodyOf(context, schema))));

  post('/respond', respondWithSchema, ({ operation, answer, ...options }) => {
    mock.respondWith(operation, answer, options);
    return done;
  });
  post('/faults', injectFaultSchema, ({ operation, fault, ...options }) => {
    mock.injectFault(operation, fault, options);
    return done;
  });
  post('/settle', settleSchema, async ({ referenceId, status, merchantId }) => {
    const payment = mock.settle(referenceId, status, merchantId);
    await mock.webhooks.whenTried(payment);
    return payment;
  });
  post('/reset', resetSchema, (next) => {
    mock.reset(next);
    return done;
  });
  post('/script/clear', z.strictObject({}, objectError()), () => {
    mock.clearScript();
    return done;
  });
  get('/health', () => done);
  get('/scenario', () => mock.scenario());

  get('/journal', (_, context) => {
    const fields = checked(journalQuerySchema, context.req.path, context.req.query());
    return mock.journal.filter(fields as JournalMatch);
  });
  get('/journal/:key', (id) => inFull(mock.journal.get(Number(id))));
  post('/journal/find', findSchema, ({ match, last }) =>
    inFull(last ? mock.journal.filter(match).at(-1) : mock.journal.find(match)),
  );
  post('/journal/filter', searchSchema, ({ match }) => mock.journal.filter(match));
  routes.post('/journal/wait', async (context) => {
    const { match, timeoutMs } = await bodyOf(context, waitSchema);
    try {
      return foundOr404(context, inFull(await mock.journal.waitFor(match, { timeoutMs })));
    } catch (error) {
      return context.json({ error: (error as Error).message }, 408);
    }
  });

  for (const name of ['payments', 'invoices', 'receipts', 'allocations', 'webhooks'] as const) {
    const store: { all(): unknown[]; get(key: string, merchantId?: string): unknown } = mock[name];
    get(`/${name}`, () => store.all());
    get(`/${name}/:key`, (key, context) => store.get(key, context.req.query('merchantId')));
  }
  routes.post('/webhooks/:id/resend', ({ req, json }) => json(mock.webhooks.resend(req.param('id'))));
  routes.post('/invoices/:id/remove', ({ req, json }) => json(mock.invoices.remove(req.param('id'))));
  get('/ledger/:key', (contractNumber) => mock.ledger(contractNumber));

  routes.onError((error, context) => {
    const isUsage = error instanceof MockUsageError || error instanceof ConfigurationError;
    return isUsage
      ? context.json({ error: error.message }, 400)
      : context.json({ error: `The mock failed: ${error.message}` }, 500);
  });
  return routes;
}
