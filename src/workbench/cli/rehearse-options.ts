import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { customers, type RehearsedCustomer } from '../rehearsal/visit-steps.js';
import { chooseScenarios, rehearsalJournalLimit } from '../rehearsal/run-scenarios.js';
import type { OrderPage } from '../rehearsal/order-page-checks.js';
import type { Checkout } from '../rehearsal/shopper.js';
import { dimensionNames, type Scenario } from '../../mock/scenarios/dimensions.js';
import type { NamedScenario } from '../../mock/scenarios/named-scenarios.js';
import { resolveScenario } from '../../mock/scenarios/resolve-scenario.js';
import type { MockOptions } from '../../mock/observation.js';
import { checkoutPages } from './checkout-page.js';
import { oneOf, text, textOr, texts, wholeNumber, type Command } from './command.js';
import { CliError, fileError } from './io.js';
import { checkoutRoute, orderPage, shopHeaders, type RouteOptions } from './rehearse-shop.js';
import { fromUsage, mockOptionsFrom } from './start-mock.js';

export const options = {
  webhook: text('URL', 'Sends the signed notifications there'),
  'webhook-body': text(
    'FILE',
    "JSON with the form of the notifications, as in your provider's documentation",
  ),
  customer: textOr(
    'none',
    customers.join('|'),
    'Ends payments as customers would; none: the command does it',
  ),
  checkout: text(
    "'POST URL'",
    "Your shop's own checkout, with {order} for the name of an order: it is called in place of a command",
  ),
  'checkout-page': text(
    'URL',
    "The page of your shop's checkout, in place of --checkout: its form is sent as a browser sends it, with cookies and hidden fields",
  ),
  'checkout-changed': text(
    "'POST URL'",
    'The same for a basket that costs more: it is called for an order whose link the customer has. Needs --order-url; with --checkout-page, it is a page too',
  ),
  'checkout-body': text(
    'FILE',
    'Body of these calls, JSON or a form, with {order} in it; with --checkout-page, the fields that the customer fills in',
  ),
  orders: textOr('2', 'N', 'Orders in each scenario, with --checkout'),
  header: texts("'Name: value'", 'Goes with every request to the shop, such as a cookie or a token'),
  'order-url': text(
    'URL',
    'Page of an order, with {ref} for its reference: tells which orders you count as paid',
  ),
  paid: textOr('\\bpaid\\b', 'REGEX', 'Matches the page of a paid order, in either case of letters'),
  once: text(
    'REGEX',
    'Captures a number of that page, such as shipped parcels, that must not be higher elsewhere',
  ),
  restart: text(
    'COMMAND',
    'Restarts the shop, in a shell: once, before the customers of one scenario pay. Needs --order-url',
  ),
  scenarios: text('NAME,NAME', 'Only these scenarios, after the baseline'),
  'settle-ms': textOr('2000', 'N', 'Milliseconds without a request until a run has ended'),
  port: textOr('0', 'N', 'Port of the mock, for a backend that stays up; 0 takes a free one'),
  host: textOr('127.0.0.1', 'HOST', 'Host to listen on, such as 0.0.0.0 for a backend in a container'),
  'public-url': text('URL', 'Address under which the backend reaches the mock'),
  'allow-host': texts('NAME', 'Name under which the mock may be reached, besides addresses and localhost'),
  service: text(
    'FILE',
    'What probe has seen of your service: that is the baseline then, and the others differ from it',
  ),
  config: text('FILE', 'JSON with options of createMockService'),
  json: text('FILE', 'Writes the report as JSON'),
} satisfies Command['options'];

/** A command line, understood. Nothing was started. */
export interface RehearsalPlan {
  readonly scenarios: readonly NamedScenario[];
  readonly mockOptions: MockOptions;
  readonly port: number;
  readonly host: string;
  /** A program with its arguments, where there is no checkout. */
  readonly command: readonly string[];
  readonly checkout: Checkout | undefined;
  readonly customer: RehearsedCustomer;
  readonly settleMs: number;
  readonly page: OrderPage | undefined;
  /** The origin of the order page, if there is one. */
  readonly origins: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly restart: { readonly command: string; readonly page: OrderPage } | undefined;
  /** The file of the report. */
  readonly json: string | undefined;
}

/** @throws CliError for wrong usage */
export async function readPlan(args: readonly string[]): Promise<RehearsalPlan> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const { 'order-url': orderUrl, json } = values;
  const customer = oneOf('customer', values.customer, customers);
  const settleMs = wholeNumber('settle-ms', values['settle-ms'], 0, 600_000);
  const port = wholeNumber('port', values.port, 0, 65_535);
  const orders = wholeNumber('orders', values.orders, 1, 100);
  const headers = shopHeaders(values.header ?? []);
  const given = checkoutKinds.filter((kind) => values[kind] !== undefined);
  if (given.length > 1) throw new CliError('--checkout and --checkout-page exclude each other');
  if (given.length > 0 && positionals.length > 0)
    throw new CliError(`--${given.join()} and a command exclude each other`);
  if (given.length === 0 && positionals.length === 0) {
    throw new CliError(
      "A command is missing: give it after --, as in 'rehearse -- npm run place-orders', or --checkout or --checkout-page",
    );
  }
  needs('checkout-body', checkoutKinds, values);
  needs('checkout-changed', checkoutKinds, values);
  needs('checkout-changed', ['order-url'], values);
  needs('once', ['order-url'], values);
  needs('restart', ['order-url'], values);
  const body = values['checkout-body'] === undefined ? undefined : await readText(values['checkout-body']);
  const routes = checkoutRoutes(values, { headers, body });
  const page = orderUrl === undefined ? undefined : orderPage(orderUrl, values.paid, values.once, headers);
  const chosen = fromUsage(() => chooseScenarios(values.scenarios?.split(',')), '--scenarios: ');
  if ((await mockOptionsFrom({ config: values.config })).scenario !== undefined)
    throw new CliError('--config: a rehearsal sets the scenario itself; choose with --scenarios');
  const mockOptions = { journalLimit: rehearsalJournalLimit, ...(await mockOptionsFrom(values)) };
  const baseline = fromUsage(() => resolveScenario(mockOptions.scenario), '--service: ');
  // What the service does anyway is in the baseline already.
  const scenarios = chosen.filter(({ name, scenario }) => name === 'baseline' || differs(scenario, baseline));
  return {
    scenarios,
    mockOptions,
    port,
    host: values.host,
    command: positionals,
    checkout: routes && { ...routes, orders },
    customer,
    settleMs,
    page,
    headers,
    json,
    origins: orderUrl === undefined ? [] : [new URL(orderUrl).origin],
    restart: values.restart !== undefined && page ? { command: values.restart, page } : undefined,
  };
}

function differs(scenario: Partial<Scenario>, baseline: Scenario): boolean {
  return dimensionNames.some((name) => scenario[name] !== undefined && scenario[name] !== baseline[name]);
}

type OptionName = keyof typeof options;

function needs(
  option: OptionName,
  others: readonly OptionName[],
  values: Partial<Record<OptionName, unknown>>,
): void {
  if (values[option] !== undefined && others.every((other) => values[other] === undefined))
    throw new CliError(`--${option} needs ${others.map((other) => `--${other}`).join(' or ')}`);
}

const checkoutKinds = ['checkout', 'checkout-page'] as const;

/** Returns the routes of `--checkout` or `--checkout-page`; undefined if neither is given. */
function checkoutRoutes(
  values: Readonly<Partial<Record<(typeof checkoutKinds)[number] | 'checkout-changed', string | undefined>>>,
  route: RouteOptions,
): Omit<Checkout, 'orders'> | undefined {
  const { checkout, 'checkout-page': page, 'checkout-changed': changed } = values;
  if (page !== undefined) {
    const pageRoute = checkoutPages(route);
    return {
      ...pageRoute('checkout-page', page),
      changed: changed === undefined ? undefined : pageRoute('checkout-changed', changed),
    };
  }
  if (checkout === undefined) return undefined;
  return {
    ...checkoutRoute('checkout', checkout, route),
    changed: changed === undefined ? undefined : checkoutRoute('checkout-changed', changed, route),
  };
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw fileError('Cannot read', file, error);
  });
}
