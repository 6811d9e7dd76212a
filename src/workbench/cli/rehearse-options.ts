import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { customers, type RehearsedCustomer } from '../rehearsal/customers.js';
import { chooseScenarios, rehearsalJournalLimit } from '../rehearsal/rehearse.js';
import type { OrderPage } from '../rehearsal/page-checks.js';
import type { Checkout } from '../rehearsal/shopper.js';
import { dimensionNames, type Scenario } from '../../mock/scenarios/dimensions.js';
import type { NamedScenario } from '../../mock/scenarios/named-scenarios.js';
import { resolveScenario } from '../../mock/scenarios/resolve-scenario.js';
import type { MockOptions } from '../../mock/observation.js';
import { oneOf, text, textOr, texts, wholeNumber, type Command } from './command.js';
import { CliError, fileError } from './io.js';
import { checkoutRoute, orderPage, shopHeaders } from './rehearse-shop.js';
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
  'checkout-changed': text(
    "'POST URL'",
    'The same for a basket that costs more: it is called for an order whose link the customer has. Needs --order-url',
  ),
  'checkout-body': text('FILE', 'Body of these calls, JSON or a form, with {order} in it'),
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
  const { checkout: written, 'order-url': orderUrl, json } = values;
  const customer = oneOf('customer', values.customer, customers);
  const settleMs = wholeNumber('settle-ms', values['settle-ms'], 0, 600_000);
  const port = wholeNumber('port', values.port, 0, 65_535);
  const orders = wholeNumber('orders', values.orders, 1, 100);
  const headers = shopHeaders(values.header ?? []);
  if (written !== undefined && positionals.length > 0)
    throw new CliError('--checkout and a command exclude each other');
  if (written === undefined && positionals.length === 0) {
    throw new CliError(
      "A command is missing: give it after --, as in 'rehearse -- npm run place-orders', or --checkout",
    );
  }
  needs('checkout-body', 'checkout', values);
  needs('checkout-changed', 'checkout', values);
  needs('checkout-changed', 'order-url', values);
  needs('once', 'order-url', values);
  needs('restart', 'order-url', values);
  const body = values['checkout-body'] === undefined ? undefined : await readText(values['checkout-body']);
  const changed = values['checkout-changed'];
  const route = { headers, body };
  const checkout =
    written === undefined
      ? undefined
      : {
          ...checkoutRoute('checkout', written, route),
          orders,
          changed: changed === undefined ? undefined : checkoutRoute('checkout-changed', changed, route),
        };
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
    checkout,
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

function needs(option: OptionName, other: OptionName, values: Partial<Record<OptionName, unknown>>) {
  if (values[option] !== undefined && values[other] === undefined)
    throw new CliError(`--${option} needs --${other}`);
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw fileError('Cannot read', file, error);
  });
}
