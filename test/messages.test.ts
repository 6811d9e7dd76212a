import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { createMockService, sampleError } from '../src/entries/mock.js';
import { errorTable } from '../src/errors/error-codes.js';
import { InstallmentClient, invoiceUploadSchema, paymentRequestSchema } from '../src/entries/index.js';
import {
  LenderClient,
  paymentReceiptNotificationSchema,
  repaymentAllocationNotificationSchema,
} from '../src/entries/lender.js';
import { customerTexts } from '../src/orders/customer-texts.js';
import { createOrderPayments } from '../src/entries/orders.js';
import { issuesOf } from '../src/protocol/issues.js';
import { isRecord } from '../src/values/untrusted-values.js';
import { createWebhookHandler } from '../src/entries/webhooks.js';
import { connectMock } from '../src/entries/remote.js';
import { allocation, receipt } from './helpers/lender-samples.js';
import { demo, demoClient, invoiceUpload, paymentRequest } from './helpers/samples.js';
import { beginningOfRule, textsBelow } from './helpers/source-texts.js';

const wrongValues: readonly unknown[] = [undefined, null, '', ' x ', 'x', -7, 0.5, true, [], { x: 1 }];

/** The value with one of its parts replaced, for each part at any depth and each wrong value. */
function* mutantsOf(value: unknown): Generator {
  yield* wrongValues;
  const isPlain = isRecord(value) && Object.getPrototypeOf(value) === Object.prototype;
  if (!Array.isArray(value) && !isPlain) return;
  for (const [key, part] of Object.entries(value))
    for (const mutant of mutantsOf(part))
      yield Array.isArray(value)
        ? Object.assign([...(value as unknown[])], { [key]: mutant })
        : { ...value, [key]: mutant };
}

/** The problems of the mutants of a valid value. Each rule is shown once, with one of the kinds of wrong values. */
function problemsFor(valid: unknown, problemsOf: (mutant: never) => readonly string[]): readonly string[] {
  const problems = [...mutantsOf(valid)].flatMap((mutant) => problemsOf(mutant as never));
  const byRule = problems.map((text) => [text.replaceAll(/; (?:got|is|has) [^:;.(]+/g, ''), text] as const);
  return [...new Map(byRule.reverse()).values()].reverse();
}

function issuesFor(schema: z.ZodMiniType, valid: object): readonly string[] {
  return problemsFor(valid, (mutant) => {
    const { error } = schema.safeParse(mutant);
    const issues = error ? issuesOf(error, mutant, schema) : [];
    return issues.map(({ path, message }) => `${path.join('.') || 'the whole value'}: ${message}`);
  });
}

/** The messages of the errors that a function throws for the mutants of its valid argument. */
function errorsFor(valid: unknown, call: (mutant: never) => unknown): readonly string[] {
  return problemsFor(valid, (mutant) => {
    try {
      call(mutant);
      return [];
    } catch (error) {
      return [error instanceof TypeError ? 'TypeError' : (error as Error).message];
    }
  });
}

const { fetch } = createMockService();
const limits = { attemptTimeoutMs: 1000, totalTimeoutMs: 5000, maxRetries: 1, repeatUnknown: true };
const common = { ...limits, headers: { 'X-A': 'a' }, logLevel: 'silent', hooks: {}, fetch };
const wire = { requestTimeOffset: '+07:00', signatureEncoding: 'hex', secretKeyEncoding: 'utf8' };
const client = { ...demo, ...common, wire: { ...wire, absentFields: 'empty' } };
const lender = { baseUrl: 'https://lender.example', lenderCode: 'L', serviceApplicationId: 'A', ...common };
const database = { dialect: 'sqlite', query: () => [], table: 'orders', statusAliases: { paid: ['OK'] } };
const orderLimits = { claimMs: 60_000, repeatAfterMs: 60_000, mostSends: 5, mostPayments: 5, waitMs: 1000 };
const orderRules = { onPaid: 'firstPaid', repeatUnknown: true, reviewOverdue: true, eraseAfterDays: 30 };
const orders = { client: demoClient(), ...database, ...orderLimits, ...orderRules };
const handler = { onEvent: () => undefined, secretKey: 'a', signatureHeader: 'A', maxBodyBytes: 1000 };
const webhook = { url: 'http://a.example', secretKey: 'a', template: { prefix: 'a', headers: { A: 'a' } } };
const merchant = { clientId: 'C', secretKey: 'K', merchantId: 'M', storeIds: ['S'], minAmount: 1 };
const scenario = { repeat: 'replay', refusals: { INVALID_AMOUNT: 400 } };
const addresses = { publicUrl: 'http://mock.example', allowedHosts: ['mock'] };
const mockRules = { uploads: 'any', journalLimit: 5, lender: { reversals: 'same-code' } };
const mock = { merchants: [merchant], webhook, scenario, ...addresses, ...mockRules };
const result = { resultStatus: 'ERROR_GENERAL', resultMsg: 'a', httpStatus: 500 };
const answer = { ...result, headers: { A: 'a' }, body: 'a' };
const requests = { times: 1, referenceId: 'A' };
/** The files of orders, except those with SQL, with the messages of drivers, or with the texts of the sections above. */
const orderErrorFiles =
  /^(?!customer-|database-errors|dialects|history|order-schema|review-texts|sql-storage)[a-z-]+\.ts$/;

/** True if the text is an option with its rule, and other texts already contain the rule. */
function isRuleIn(others: string, text: string): boolean {
  const [, rule] = /^\S+ (.*)/.exec(text) ?? [];
  if (rule === undefined || !beginningOfRule.test(rule)) return false;
  const parts = rule
    .split(/\{[^{} ]+\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`${parts.join('.*')}(?:;|\\.?$)`, 'm').test(others);
}

const notation = [
  '# Notation',
  '',
  'The sections about requests, notifications and options show the messages for wrong values, such as an unknown field x.',
  "In the other sections, {name} is a value, {'a' or 'b'} is one of several texts, and [a] is a text that can be missing.",
  '',
];

/** The messages about the arguments of a function, of which one is replaced. */
function argumentsOf(valid: readonly unknown[], call: (...all: never[]) => unknown): readonly string[] {
  return errorsFor(valid, (all: readonly never[] | null) => Array.isArray(all) && call(...all));
}

test('the messages equal messages.txt; `npx vitest run --project unit test/messages -u` writes it', async () => {
  const service = createMockService();
  const codes = Object.keys(errorTable) as (keyof typeof errorTable)[];
  const ofCalls: Readonly<Record<string, readonly string[]>> = {
    'a payment request': issuesFor(paymentRequestSchema, paymentRequest()),
    'an invoice': issuesFor(invoiceUploadSchema, invoiceUpload()),
    'a receipt': issuesFor(paymentReceiptNotificationSchema, receipt()),
    'an allocation': issuesFor(repaymentAllocationNotificationSchema, allocation()),
    InstallmentClient: errorsFor(client, (options) => new InstallmentClient(options)),
    LenderClient: errorsFor(lender, (options) => new LenderClient(options)),
    createOrderPayments: errorsFor(orders, (options) => createOrderPayments(options)),
    createWebhookHandler: errorsFor(handler, (options) => createWebhookHandler(options)),
    createMockService: errorsFor(mock, (options) => createMockService(options)),
    connectMock: argumentsOf(['http://127.0.0.1:4010', { waitMs: 1 }], connectMock),
    respondWith: argumentsOf(['initiatePayment', answer, requests], service.respondWith.bind(service)),
    injectFault: argumentsOf(
      ['initiatePayment', 'hang', { times: 1, phase: 'after' }],
      service.injectFault.bind(service),
    ),
    settle: argumentsOf(['ORDER-1', 'paid', 'M'], service.settle.bind(service)),
    handle: argumentsOf(['/v2/refunds', () => undefined, { sender: 'lender' }], service.handle.bind(service)),
    'errors of calls': codes.map((code) => `${code}: ${sampleError(code).message}`),
  };
  const ofSources: Readonly<Record<string, readonly string[]>> = {
    'the mock': await textsBelow('src/mock', /(?:service|controls|state|webhooks).*\.ts$/),
    'findings of a rehearsal': await textsBelow('src/workbench/findings', /\.ts$/),
    'reviews of orders': await textsBelow('src/orders', /review-texts\.ts$/),
    'texts for customers': Object.values(customerTexts).flatMap(({ en, vi }) => [en, vi]),
    'errors of orders': [
      ...(await textsBelow('src/orders', orderErrorFiles)),
      ...(await textsBelow('src/orders', /^sql-storage\.ts$/, 'ConfigurationError')),
    ],
    'errors of webhooks': await textsBelow('src/webhooks', /\.ts$/),
    'wrong usage of a command': await textsBelow('src/workbench/cli', /\.ts$/, 'CliError'),
  };
  const called = Object.values(ofCalls).flat().join('\n');
  const uncalled = Object.entries(ofSources).map(
    ([name, texts]) => [name, texts.filter((text) => !isRuleIn(called, text))] as const,
  );
  const sections = { ...ofCalls, ...Object.fromEntries(uncalled) };
  const lines = Object.entries(sections).flatMap(([name, messages]) => [`# ${name}`, '', ...messages, '']);

  expect(Object.entries(sections).filter(([, messages]) => messages.length < 2)).toEqual([]);
  await expect([...notation, ...lines].join('\n')).toMatchFileSnapshot('messages.txt');
});
