import { createMockService, type MockService } from '../../src/mock/index.js';
import { dimensionNames, valuesOf, type World } from '../../src/mock/worlds/dimensions.js';
import type { Failover, Merchant, Surroundings } from './merchant.js';
import { Network, notificationFaults, requestFaults, type Mix } from './network.js';
import { queueMerchant } from './queue-merchant.js';
import { orderOf, Records } from './records.js';
import { shopMerchant } from './shop-merchant.js';
import { Timeline } from './timeline.js';

export interface Episode {
  readonly violations: readonly string[];
  readonly hash: string;
}

export const ordersOfEpisode = 20;

const startsAt = Date.parse('2026-11-20T03:04:05Z');
const troubleMs = 180_000;
const settledMs = 15 * 60_000;
const announcedMs = settledMs + 60_000;
const overMs = announcedMs + 3 * 60_000;
/** The claims and markers after which a request is sent: a suspension matters most behind them. */
const stepsBeforeSend: ReadonlySet<string> = new Set(['openAttempt', 'claimInvoice', 'extendLock']);
/** The shop leaves a notification two minutes, so that a clock may be wrong by less. */
const largestJumpMs = 45_000;

function worldOf(timeline: Timeline): Partial<World> {
  const chosen = dimensionNames.map((name) => {
    const values = valuesOf(name).map(([value]) => value);
    return [name, timeline.chance(0.5) ? values[0] : timeline.pick(values)];
  });
  return Object.fromEntries(chosen) as Partial<World>;
}

/** Fair weather, or some faults, each of them now and then or often. */
function mixOf(timeline: Timeline): Mix {
  const names = [...requestFaults, ...notificationFaults.map((fault) => `notification-${fault}` as const)];
  const worst = timeline.pick([0, 0.05, 0.2, 0.5]);
  const chosen = names.filter(() => timeline.chance(0.4));
  return Object.fromEntries(chosen.map((name) => [name, (worst * timeline.between(0.2, 1)) / 4]));
}

/** The store of a queue fails over a few times; its replica lacks up to two seconds. */
function failoversOf(timeline: Timeline): readonly Failover[] {
  return [20_000, 60_000, 110_000].map((fromMs) => {
    const behindSince = fromMs + timeline.between(0, 30_000);
    return { fromMs: behindSince, atMs: behindSince + timeline.between(0, 2_000) };
  });
}

/** One customer, who never pays twice knowingly. */
async function customer(
  order: string,
  merchant: Merchant,
  { timeline, mock, records }: Surroundings,
): Promise<void> {
  const failing = () => undefined;
  const settle = (reference: string, status: 'paid' | 'declined') => {
    try {
      mock.settle(reference, status);
      timeline.note('settled', reference, status);
      return true;
    } catch {
      return false; // its time is over, or somebody has settled it
    }
  };
  /** The payment that a link leads to; without a link, the last one of the order. */
  const payment = (link: string | undefined) =>
    records
      .referencesOf(order)
      .map((reference) => mock.payments.get(reference))
      .findLast((found) => link === undefined || found?.paymentUrl === link);

  await timeline.sleep(timeline.between(0, 60_000));
  let link: string | undefined;
  for (let visit = 0; visit < 6; visit++) {
    const visiting = () => (visit === 0 ? merchant.checkOut(order) : merchant.payAgain(order)).catch(failing);
    const tabs = timeline.chance(0.2) ? [visiting(), timeline.sleep(timeline.between(0, 20)).then(visiting)] : [visiting()]; // prettier-ignore
    link = (await Promise.all(tabs)).find((found) => found !== undefined);
    // The service has sent the link by SMS.
    const found = payment(link);
    const open = link !== undefined || (found && timeline.chance(0.2)) ? found : undefined;
    await timeline.sleep(timeline.between(1_000, 40_000));
    if (!open || timeline.chance(0.1)) continue;
    const isPaid = settle(open.referenceId, timeline.chance(0.8) ? 'paid' : 'declined');
    const status = mock.payments.get(open.referenceId)?.status;
    if (status === 'paid' && timeline.chance(0.9)) return;
    if (isPaid && status === 'declined' && timeline.chance(0.4))
      timeline.after(timeline.between(5_000, 90_000), () => void settle(open.referenceId, 'paid'));
  }
}

async function judge(merchant: Merchant, records: Records, mock: MockService): Promise<void> {
  for (const reference of records.references) {
    if (mock.payments.get(reference)?.status !== 'paid') continue;
    const wasTold = records.wasTold(reference);
    if (await merchant.knows(reference, wasTold)) continue;
    const known = wasTold ? 'acknowledged it, and has not stored it' : 'does not know of it';
    records.violated('lost payment', `${reference} is paid, and the merchant ${known}`);
  }
}

function judgeInvoices(records: Records, mock: MockService): void {
  const counts = new Map<string, number>();
  for (const { referenceId } of mock.invoices.all())
    counts.set(orderOf(referenceId), (counts.get(orderOf(referenceId)) ?? 0) + 1);
  for (const [order, count] of counts)
    if (count > 1) records.violated('two invoices', `${order} has ${String(count)}`);
}

/** Runs some orders from the first click to the last notification, in a world and under faults that the seed chooses. */
export async function runEpisode(
  seed: number,
  orders = ordersOfEpisode,
  tell?: (line: string) => void,
): Promise<Episode> {
  const timeline = new Timeline(seed, tell);
  const world = worldOf(timeline);
  const mix = mixOf(timeline);
  const risk = timeline.pick([0, 0, 0.002, 0.01]);
  const isShop = timeline.chance(0.5);
  const suspensionRisk = timeline.pick([0, 0, 0.001, 0.003]);
  // While one is suspended, another one goes on with its work.
  const processes = suspensionRisk > 0 ? 2 : timeline.pick([1, 1, 2]);
  const failovers = isShop || timeline.chance(0.5) ? [] : failoversOf(timeline);
  const faults = { mix, risk, suspensionRisk, failovers };
  timeline.note('world', JSON.stringify({ world, ...faults, processes, isShop, orders }));
  const inTrouble = () => timeline.nowMs < troubleMs;
  const records = new Records(timeline);
  const network = new Network(timeline, records, () => (inTrouble() ? mix : {}));
  const mock = createMockService(
    {
      world,
      now: () => new Date(startsAt + timeline.nowMs),
      delay: (ms, signal) => timeline.sleep(ms, signal),
      webhook: { url: 'https://shop.example/webhooks/installments' },
    },
    network.post,
  );
  records.mock = network.mock = mock;
  mock.subscribe((change) => {
    if (change.kind === 'payment') records.changed(change.referenceId);
  });

  let jumpMs = 0;
  // The times for which a person waits are by one clock, so it jumps only where nobody looks up anything.
  const jumps =
    suspensionRisk === 0 && timeline.chance(0.3)
      ? [timeline.between(0, troubleMs), timeline.between(0, troubleMs)]
      : [];
  for (const atMs of jumps)
    timeline.after(atMs, () => void (jumpMs = timeline.between(-largestJumpMs, largestJumpMs)));
  const surroundings: Surroundings = {
    timeline,
    network,
    records,
    mock,
    processes,
    now: () => new Date(startsAt + timeline.nowMs + jumpMs),
    risk: () => (inTrouble() ? risk : 0),
    suspensionRisk: (step) => (inTrouble() ? suspensionRisk * (stepsBeforeSend.has(step) ? 100 : 1) : 0),
    hasPerson: suspensionRisk > 0,
    failovers,
  };
  const merchant = isShop ? await shopMerchant(surroundings) : queueMerchant(surroundings);
  network.receive = (request) => merchant.receive(request);
  for (let number = 0; number < orders; number++) {
    const order = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
    void records.watched(`customer of ${order}`, customer(order, merchant, surroundings), {
      limitMs: settledMs,
    });
  }

  await timeline.runUntil(settledMs);
  // Whoever may be told late that a declined payment was paid has a service that sends again what was not delivered.
  for (const { id, status } of mock.webhooks.all())
    if (status === 'failed' && mock.world().settlement !== 'final') mock.webhooks.resend(id);
  await timeline.runUntil(announcedMs);
  await judge(merchant, records, mock);
  judgeInvoices(records, mock);
  void records.watched('the decisions of staff', merchant.decide(), { limitMs: overMs });
  await timeline.runUntil(overMs);
  judgeInvoices(records, mock);
  records.judge();
  if ('dispose' in merchant || Symbol.dispose in merchant)
    (merchant as Merchant & Disposable)[Symbol.dispose]();
  return { violations: records.violations, hash: timeline.hash() };
}
