import { readdir, readFile } from 'node:fs/promises';
import ts from 'typescript';
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

/** True if a declaration, which can be a pattern such as `{ a, b }`, declares a name. */
function declares({ name: declared }: { readonly name: ts.BindingName }, name: string): boolean {
  if (ts.isIdentifier(declared)) return declared.text === name;
  return declared.elements.some((element) => ts.isBindingElement(element) && declares(element, name));
}

/** The initializer of the constant with a name that is in scope at a node. */
function constantAt(node: ts.Node, name: string): ts.Expression | undefined {
  const { parent } = node as { readonly parent?: ts.Node };
  if (!parent) return undefined;
  if (ts.isFunctionLike(parent) && parent.parameters.some((each) => declares(each, name))) return undefined;
  const statements = ts.isBlock(parent) || ts.isSourceFile(parent) ? parent.statements : [];
  const declarations = statements.flatMap((each) =>
    ts.isVariableStatement(each) ? each.declarationList.declarations : [],
  );
  const found = declarations.find((each) => declares(each, name));
  if (!found) return constantAt(parent, name);
  return ts.isIdentifier(found.name) ? found.initializer : undefined;
}

/** The beginning of a rule, before which the name of an option or argument is written. */
const predicate =
  /^(?:must|is required|is generated|has unknown|and dialect|cannot be combined|did not return|needs the option|would make)\b/;

/** The names near a rule that say nothing about its option. */
const namesOfNoOption =
  /^(?:message|problem|error|values|rules?|listRules|name|instant|validTime|statusValue|mustBeObject)$/;

/** Reads the texts in the code of one file. */
class TextReader {
  readonly #sourceFile: ts.SourceFile;
  /** The constants and parts that a text contains. They are not listed again. */
  readonly #contained = new Set<ts.Node>();

  constructor(file: string, source: string) {
    this.#sourceFile = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  }

  /**
   * A computed part of a text: `[text]` for a text that can be missing, `{'text' or 'other text'}` if the code selects
   * one of several texts, `{code}` for short code, and `{name(…)}` for a call with long arguments.
   */
  #placeholderOf(expression: ts.Expression): string {
    const constant = ts.isIdentifier(expression) ? constantAt(expression, expression.text) : undefined;
    const choices = this.#choicesOf(constant ?? expression);
    if (choices) {
      this.#contained.add(constant ?? expression);
      if (choices.length === 1) return choices.join('');
      const texts = choices.filter((text) => text !== '');
      if (texts.length === 1) return `[${texts.join('')}]`;
      return `{${choices.map((text) => `'${text}'`).join(' or ')}}`;
    }
    const code = expression.getText(this.#sourceFile).replaceAll(/\s+/g, ' ');
    if (code.length <= 40 && !/[{}`]/.test(code)) return `{${code}}`;
    return ts.isCallExpression(expression)
      ? `{${expression.expression.getText(this.#sourceFile)}(…)}`
      : '{…}';
  }

  /** The texts of which an expression selects one. Undefined if one of its parts is not a text. */
  #choicesOf(node: ts.Expression): readonly string[] | undefined {
    if (ts.isParenthesizedExpression(node)) return this.#choicesOf(node.expression);
    if (!ts.isConditionalExpression(node)) {
      const text = this.#textOf(node);
      return text === undefined ? undefined : [text];
    }
    const [first, second] = [this.#choicesOf(node.whenTrue), this.#choicesOf(node.whenFalse)];
    return first && second && [...first, ...second];
  }

  /** The text of a literal, or of literals that are joined with `+`, with a placeholder for each computed part. */
  #textOf(node: ts.Node): string | undefined {
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isTemplateExpression(node)) {
      const { head, templateSpans } = node;
      const rest = templateSpans.map((span) => this.#placeholderOf(span.expression) + span.literal.text);
      return head.text + rest.join('');
    }
    if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
    const [left, right] = [this.#textOf(node.left), this.#textOf(node.right)];
    if (left === undefined && right === undefined) return undefined;
    return (left ?? this.#placeholderOf(node.left)) + (right ?? this.#placeholderOf(node.right));
  }

  /** All texts of the file; with `errorClass`, only those that are passed to its constructor. */
  read(errorClass?: string): readonly string[] {
    const texts = new Map<ts.Node, string>();
    const collect = (node: ts.Node): void => {
      const text = this.#textOf(node);
      if (text !== undefined) texts.set(node, text);
      // The parts of a joined text are not listed again.
      if (text === undefined || !ts.isBinaryExpression(node)) ts.forEachChild(node, collect);
    };
    const findErrors = (node: ts.Node): void => {
      if (ts.isNewExpression(node) && node.expression.getText(this.#sourceFile) === errorClass) collect(node);
      else ts.forEachChild(node, findErrors);
    };
    if (errorClass === undefined) collect(this.#sourceFile);
    else findErrors(this.#sourceFile);
    const whole = [...texts].filter(([node]) => !this.#isContained(node));
    return whole.map(([node, text]) =>
      predicate.test(text) ? `${this.#subjectOf(node)} ${text}` : text.trimStart(),
    );
  }

  /**
   * The option or argument that a rule is about: the argument before the rule, or the name of the property or constant
   * with the rule.
   */
  #subjectOf(node: ts.Node): string {
    const { parent } = node as { readonly parent?: ts.Node };
    if (!parent) return '{option}';
    if (ts.isNewExpression(parent) || ts.isCallExpression(parent)) {
      const earlier = parent.arguments?.[parent.arguments.findIndex((each) => each === node) - 1];
      const [path] = earlier && ts.isArrayLiteralExpression(earlier) ? earlier.elements : [earlier];
      const subject = path && this.#textOf(path);
      if (subject !== undefined) return subject;
    }
    const isNamed = ts.isPropertyAssignment(parent) || ts.isVariableDeclaration(parent);
    const name =
      isNamed && ts.isIdentifier(parent.name) ? parent.name.text.replace(/(?:Rule|Options)$/, '') : '';
    if (name !== '' && !namesOfNoOption.test(name)) return name;
    return this.#subjectOf(parent);
  }

  #isContained(node: ts.Node): boolean {
    return this.#contained.has(node) || (!ts.isSourceFile(node) && this.#isContained(node.parent));
  }
}

/**
 * The texts of three words or more in the sources below a path, with a placeholder for each computed part. With
 * `errorClass`, only those that are passed to its constructor.
 */
async function textsBelow(folder: string, pattern: RegExp, errorClass?: string): Promise<readonly string[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => pattern.test(file)).sort();
  const found = files.map(async (file) => {
    const source = await readFile(`${folder}/${file}`, 'utf8');
    const texts = new TextReader(file, source).read(errorClass);
    // HTML is no message, and a text without words is an ID or an example.
    const wordsOf = (text: string) => text.replaceAll(/\{[^{}]*\}/g, '');
    return texts.filter(
      (text) =>
        /\S \S+ \S/.test(text) && / [a-z]{3,}|^[a-z]{3,} /.test(wordsOf(text)) && !/^(?:<|\{ )/.test(text),
    );
  });
  return [...new Set((await Promise.all(found)).flat())];
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
  if (rule === undefined || !predicate.test(rule)) return false;
  const parts = rule
    .split(/\{[^{} ]+\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`${parts.join('.*')}(?:;|\\.?$)`, 'm').test(others);
}

const notation = [
  '# Notation',
  '',
  "In these texts, {name} is a value, {'a' or 'b'} is one of several texts, and [a] is a text that can be missing.",
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
