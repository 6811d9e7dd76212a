import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { customers, type RehearsedCustomer } from '../rehearsal/visit-steps.js';
import { chooseScenarios, rehearsalJournalLimit } from '../rehearsal/run-scenarios.js';
import type { OrderPage } from '../rehearsal/order-page-checks.js';
import type { Checkout } from '../rehearsal/shopper.js';
import { dimensionNames } from '../../mock/scenarios/dimensions.js';
import type { Scenario } from '../../mock/scenarios/scenario.js';
import type { NamedScenario } from '../../mock/scenarios/named-scenarios.js';
import { resolveScenario } from '../../mock/scenarios/resolve-scenario.js';
import type { MockOptions } from '../../mock/observation.js';
import { checkoutPages } from './checkout-page.js';
import { oneOf, text, textOr, texts, wholeNumber, type Command } from './command.js';
import { CliError, fileError } from './io.js';
import { checkoutRoute, orderPage, shopHeaders, type RouteOptions } from './rehearse-shop.js';
import { withUsageErrors, mockOptionsFrom } from './start-mock.js';

const shop = {
  checkout: text(
    "'POST URL'",
    'Method and URL of the checkout of your shop, which is called instead of a command. {order} is replaced with the name of an order',
  ),
  'checkout-page': text(
    'URL',
    'URL of the page of your checkout, instead of --checkout. The form of the page is submitted as in a browser, with cookies and hidden fields',
  ),
  'checkout-body': text(
    'FILE',
    'Body of each checkout call (JSON or a form). {order} must occur in the body or in the URL. With --checkout-page: the fields that the customer fills in',
  ),
  'checkout-changed': text(
    "'POST URL'",
    'Method and URL of the checkout of an order whose basket has become more expensive since the call of --checkout. With --checkout-page: URL of a page. Needs --order-url',
  ),
  orders: textOr('2', 'N', 'Number of orders in each scenario, with --checkout or --checkout-page'),
  header: texts("'Name: value'", 'Header of every request to your shop, such as a cookie or a token'),
  restart: text(
    'COMMAND',
    "Shell command that restarts your shop. It runs once, in the scenario 'restarted', before the customers pay. Needs --order-url",
  ),
};

const customersAndWebhooks = {
  customer: textOr(
    'none',
    customers.join('|'),
    "Action of the simulated customer of each payment. With 'none', your command settles the payments itself. Some scenarios, such as older-link, ignore this option and define what the customer does",
  ),
  webhook: text('URL', 'URL of your shop to which the mock sends signed webhooks'),
  'webhook-body': text('FILE', "JSON template of the webhooks, as in your provider's documentation"),
};

const checksAndReport = {
  'order-url': text(
    'URL',
    'URL of the page of an order in your shop, which shows whether the order is paid. {ref} is replaced with the referenceId of a payment',
  ),
  paid: textOr(
    '\\bpaid\\b',
    'REGEX',
    'Case-insensitive regex that matches the order page only when the order is paid',
  ),
  once: text(
    'REGEX',
    'Regex with one capture group for a number on the order page, such as the number of shipments. A higher number than in the baseline is reported',
  ),
  scenarios: text('NAME,NAME', 'Runs only these scenarios, after the baseline'),
  'settle-ms': textOr(
    '2000',
    'N',
    'A scenario ends after this number of milliseconds without a request, a webhook or an action of a customer',
  ),
  json: text('FILE', 'Writes the report as JSON'),
};

const mock = {
  port: textOr('0', 'N', 'Port of the mock, for a shop that runs permanently. 0 uses a free port'),
  host: textOr('127.0.0.1', 'HOST', 'Host to listen on, such as 0.0.0.0 for a backend in a container'),
  'public-url': text('URL', 'Address at which the backend reaches the mock'),
  'allow-host': texts(
    'NAME',
    'Host name at which the mock can be reached, besides IP addresses and localhost',
  ),
  service: text('FILE', 'File written by probe. The baseline then behaves like your service'),
  config: text('FILE', 'JSON with options of createMockService'),
};

/** The options, grouped by the headings of the help. */
export const optionGroups = {
  'Your shop': shop,
  'Customers and webhooks': customersAndWebhooks,
  'Checks and report': checksAndReport,
  Mock: mock,
} satisfies Command['groups'];

export const rehearseOptions = {
  ...shop,
  ...customersAndWebhooks,
  ...checksAndReport,
  ...mock,
} satisfies Command['options'];

/** The parsed command line of a rehearsal. */
export interface RehearsalPlan {
  readonly scenarios: readonly NamedScenario[];
  readonly mockOptions: MockOptions;
  readonly port: number;
  readonly host: string;
  /** The program with its arguments, if there is no checkout. */
  readonly command: readonly string[];
  readonly checkout: Checkout | undefined;
  readonly customer: RehearsedCustomer;
  readonly settleMs: number;
  readonly page: OrderPage | undefined;
  /** The origin of the order page; empty without an order page. */
  readonly origins: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly restart: { readonly command: string; readonly page: OrderPage } | undefined;
  /** The file for the report. */
  readonly json: string | undefined;
}

/** Parses the command line of a rehearsal. @throws CliError for wrong usage */
export async function readPlan(args: readonly string[]): Promise<RehearsalPlan> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: rehearseOptions,
    allowPositionals: true,
  });
  const { 'order-url': orderUrl, json } = values;
  const customer = oneOf('customer', values.customer, customers);
  const settleMs = wholeNumber('settle-ms', values['settle-ms'], 0, 600_000);
  const port = wholeNumber('port', values.port, 0, 65_535);
  const orderCount = wholeNumber('orders', values.orders, 1, 100);
  const headers = shopHeaders(values.header ?? []);
  const checkoutFlags = checkoutKinds.filter((kind) => values[kind] !== undefined);
  if (checkoutFlags.length > 1) throw new CliError('--checkout and --checkout-page cannot be used together');
  if (checkoutFlags.length > 0 && positionals.length > 0)
    throw new CliError(`--${checkoutFlags.join()} and a command cannot be used together`);
  if (checkoutFlags.length === 0 && positionals.length === 0) {
    throw new CliError(
      "A command is missing: write the command after --, as in 'rehearse -- npm run place-orders', or use --checkout or --checkout-page",
    );
  }
  needs('checkout-body', checkoutKinds, values);
  needs('checkout-changed', checkoutKinds, values);
  needs('checkout-changed', ['order-url'], values);
  needs('once', ['order-url'], values);
  needs('restart', ['order-url'], values);
  const body = values['checkout-body'] === undefined ? undefined : await readText(values['checkout-body']);
  const routes = checkoutRoutes(values, { headers, body });
  const pageWith = (pageHeaders: Readonly<Record<string, string>>) =>
    orderUrl === undefined ? undefined : orderPage(orderUrl, values.paid, values.once, pageHeaders);
  const page = pageWith(headers);
  // A shop that shuts down waits for its open connections, so a kept connection would delay the restart.
  const restartPage = pageWith({ ...headers, connection: 'close' });
  const chosen = withUsageErrors(() => chooseScenarios(values.scenarios?.split(',')), '--scenarios: ');
  if ((await mockOptionsFrom({ config: values.config })).scenario !== undefined)
    throw new CliError(
      '--config: the file must not contain the option scenario; choose scenarios with --scenarios',
    );
  const mockOptions = { journalLimit: rehearsalJournalLimit, ...(await mockOptionsFrom(values)) };
  const baseline = withUsageErrors(() => resolveScenario(mockOptions.scenario), '--service: ');
  // With `--service`, a scenario can equal the baseline. It is left out, because its run would repeat the baseline.
  const scenarios = chosen.filter(({ name, scenario }) => name === 'baseline' || differs(scenario, baseline));
  return {
    scenarios,
    mockOptions,
    port,
    host: values.host,
    command: positionals,
    checkout: routes && { ...routes, orderCount },
    customer,
    settleMs,
    page,
    headers,
    json,
    origins: orderUrl === undefined ? [] : [new URL(orderUrl).origin],
    restart:
      values.restart !== undefined && restartPage
        ? { command: values.restart, page: restartPage }
        : undefined,
  };
}

function differs(scenario: Partial<Scenario>, baseline: Scenario): boolean {
  return dimensionNames.some((name) => scenario[name] !== undefined && scenario[name] !== baseline[name]);
}

type OptionName = keyof typeof rehearseOptions;

/** Checks that an option is given only together with at least one of `others`. @throws CliError if not */
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
): Omit<Checkout, 'orderCount'> | undefined {
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
