import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { customers, type RehearsedCustomer } from '../rehearsal/customers.js';
import { chooseWorlds, rehearsalJournalLimit } from '../rehearsal/rehearse.js';
import type { OrderPage } from '../rehearsal/order-looks.js';
import type { Checkout } from '../rehearsal/shopper.js';
import { dimensionNames, type World } from '../../mock/worlds/dimensions.js';
import type { NamedWorld } from '../../mock/worlds/named-worlds.js';
import { resolveWorld } from '../../mock/worlds/resolve-world.js';
import type { MockOptions } from '../../mock/observation.js';
import { oneOf, text, textOr, texts, wholeNumber, type Command } from './command.js';
import { CliError, fileError } from './io.js';
import { checkoutRoute, orderPage, shopHeaders } from './rehearse-shop.js';
import { fromUsage, mockOptionsFrom } from './start-mock.js';

export const options = {
  webhook: text('URL', 'Sends the signed notifications there'),
  'webhook-body': text('FILE', "JSON with the form of the notifications, as in your service's documents"),
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
  orders: textOr('2', 'N', 'Orders in each world, with --checkout'),
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
    'Restarts the shop, in a shell: once, before the customers of one world pay. Needs --order-url',
  ),
  worlds: text('NAME,NAME', 'Only these worlds, after the plain one'),
  'settle-ms': textOr('2000', 'N', 'Milliseconds without a request until a run has ended'),
  port: textOr('0', 'N', 'Port of the mock, for a backend that stays up; 0 takes a free one'),
  host: textOr('127.0.0.1', 'HOST', 'Host to listen on, such as 0.0.0.0 for a backend in a container'),
  'public-url': text('URL', 'Address under which the backend reaches the mock'),
  'allow-host': texts('NAME', 'Name under which the mock may be reached, besides addresses and localhost'),
  service: text(
    'FILE',
    'What probe has seen of your service: that is the plain world then, and the others differ from it',
  ),
  config: text('FILE', 'JSON with options of createMockService'),
  json: text('FILE', 'Writes the report as JSON'),
} satisfies Command['options'];

/** A command line, understood. Nothing was started. */
export interface RehearsalPlan {
  readonly worlds: readonly NamedWorld[];
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
  const chosen = fromUsage(() => chooseWorlds(values.worlds?.split(',')), '--worlds: ');
  if ((await mockOptionsFrom({ config: values.config })).world !== undefined)
    throw new CliError('--config: a rehearsal sets the world itself; choose with --worlds');
  const mockOptions = { journalLimit: rehearsalJournalLimit, ...(await mockOptionsFrom(values)) };
  const plain = fromUsage(() => resolveWorld(mockOptions.world), '--service: ');
  // What the service does anyway is in the plain world already.
  const worlds = chosen.filter(({ name, world }) => name === 'plain' || differs(world, plain));
  return {
    worlds,
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

function differs(world: Partial<World>, plain: World): boolean {
  return dimensionNames.some((name) => world[name] !== undefined && world[name] !== plain[name]);
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
