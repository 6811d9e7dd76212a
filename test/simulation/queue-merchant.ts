import type { Queue } from 'bullmq';
import type { Pool } from 'pg';
import { placeOrder } from '../../examples/outbox/place-order.js';
import { orderProcessor } from '../../examples/outbox/process-order.js';
import { sweep } from '../../examples/outbox/sweep.js';
import { secretKey } from '../../examples/shop/test-support.js';
import { enqueue, jobOutcome, type JobOutcome, type JobProcessor } from '../../src/bullmq/index.js';
import { processorOf } from '../../src/bullmq/create-processor.js';
import type { PaymentRequest } from '../../src/index.js';
import { samplePaymentRequest, sampleInvoice, type MockWebhookEvent } from '../../src/mock/index.js';
import { createWebhookHandler } from '../../src/webhooks/index.js';
import { clientOf, Fleet, type Merchant, type Surroundings } from './merchant.js';
import { MemoryQueue } from './memory-queue.js';
import { longestAnswerMs } from './records.js';
import { isOf } from './network.js';
import type { Process, Timeline } from './timeline.js';

interface Row {
  readonly reference: string;
  readonly request: PaymentRequest;
  readonly placedMs: number;
  end?: string;
  url?: string;
  isPaid?: boolean;
  invoice?: JobOutcome;
}

const sweepsEachMs = 30_000;

/** The time in which the workers cannot get their credentials: the store is away, or a release has lost them. */
interface Outage {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly isMissing: boolean;
}

function outageOf(timeline: Timeline): Outage {
  const fromMs = timeline.chance(0.5) ? timeline.between(0, 60_000) : Infinity;
  return { fromMs, untilMs: fromMs + timeline.between(5_000, 60_000), isMissing: timeline.chance(0.5) };
}

const isWithin = ({ fromMs, untilMs }: Outage, nowMs: number) => fromMs <= nowMs && nowMs < untilMs;

/** The statements of examples/outbox/orders.ts, over rows in memory. */
function poolOver(rows: Map<string, Row>, nowMs: () => number): Pool {
  const query = (sql: string, [first, second, third]: readonly unknown[]) => {
    const reference = String(first);
    const row = rows.get(reference);
    if (sql.startsWith('INSERT')) {
      const request = JSON.parse(String(second)) as PaymentRequest;
      if (!row) rows.set(reference, { reference, request, placedMs: nowMs() });
      return Promise.resolve({ rows: [], rowCount: row ? 0 : 1 });
    } else if (sql.startsWith('UPDATE')) {
      if (row && row.end !== 'accepted')
        Object.assign(row, { end: second, ...(third !== undefined && { url: third }) });
    } else if (sql.includes('WHERE reference')) {
      return Promise.resolve({ rows: row ? [{ end: null, ...row }] : [] });
    } else {
      const open = [...rows.values()].filter(
        ({ end, placedMs }) => end === undefined && placedMs < nowMs() - Number(first),
      );
      return Promise.resolve({ rows: open.map(({ reference, request }) => ({ reference, request })) });
    }
    return Promise.resolve({ rows: [] });
  };
  return { query } as unknown as Pool;
}

/** A merchant whose payments and invoices are jobs: the outbox of the examples, and the package's own processor. */
export function queueMerchant(surroundings: Surroundings): Merchant {
  const { timeline, records, mock, risk, failovers } = surroundings;
  const { merchantId } = mock.clientOptions();
  const rows = new Map<string, Row>();
  const pool = poolOver(rows, () => timeline.nowMs);
  const queue = new MemoryQueue(
    timeline,
    ({ name, data }, outcome) => {
      const reference = String(data.request['referenceId']);
      records.claimed(name as 'initiatePayment', reference, outcome);
    },
    risk,
    failovers,
  );
  const outage = outageOf(timeline);
  const file = () => ({ data: (sampleInvoice().file as { data: Uint8Array }).data, filename: 'invoice.pdf' });

  function start(process: Process) {
    const ownClient = clientOf(process, surroundings);
    const client = () => {
      if (!isWithin(outage, timeline.nowMs)) return ownClient;
      return outage.isMissing ? undefined : Promise.reject(new Error('the secret store is away'));
    };
    const ownPool = process.stepping(pool);
    const ownQueue = process.stepping<MemoryQueue>(queue);
    const asQueue = ownQueue as unknown as Queue;
    const replicas = failovers.length > 0 ? { replicas: 1 } : {};
    const send = processorOf({ client, loadFile: file, ...replicas }, process.runtime);
    const pay = orderProcessor(ownPool, send);
    const run: JobProcessor = (job, token, signal) =>
      job.name === 'initiatePayment' ? pay(job, token, signal) : send(job, token, signal);
    queue.work(process, run);

    async function invoice(row: Row, mayHaveBeenSent: boolean): Promise<void> {
      const { id, state } = await enqueue(ownQueue, {
        operation: 'uploadInvoice',
        request: { referenceId: row.reference, invoiceNumber: 'INV-1' },
        file: 'invoice.pdf',
        mayHaveBeenSent,
      });
      if (state !== 'completed' && state !== 'failed') return;
      await process.step('store', () => {
        const job = queue.jobs.get(id);
        const outcome = job ? jobOutcome(job) : 'pending';
        if (outcome !== 'pending') row.invoice = outcome;
      });
    }
    const webhook = createWebhookHandler({
      secretKey,
      onEvent: async (event) => {
        const notified = event as MockWebhookEvent;
        const row = rows.get(notified.referenceId);
        if (!row) throw new Error(`no order ${notified.referenceId}`);
        if (notified.status !== 'paid' || !isOf(notified, { merchantId, ...row.request })) return;
        // Of a notification that comes again the job may have been run, and lost.
        const isRepeated = row.isPaid === true;
        await process.step('store', () => void (row.isPaid = true));
        await invoice(row, isRepeated);
      },
    });
    const resume = async () => {
      await sweep(ownPool, asQueue);
      for (const row of rows.values()) if (row.isPaid && row.invoice === undefined) await invoice(row, true);
      process.after(sweepsEachMs, again);
    };
    const again = () => {
      resume().catch((error: unknown) => records.violated('sweep', String(error)));
    };
    again();
    return {
      webhook,
      invoice,
      place: (reference: string) =>
        placeOrder(ownPool, asQueue, samplePaymentRequest({ referenceId: reference })),
    };
  }
  const fleet = new Fleet(surroundings, start);
  // A queue that loses jobs, while there is trouble at all.
  const lose = () => {
    if (timeline.chance(risk() * 20) && queue.jobs.size > 0)
      queue.forget(timeline.pick([...queue.jobs.keys()]));
    timeline.after(5_000, lose);
  };
  lose();

  // A person, once the credentials are there again: what was refused for now in an earlier run may have failed without them too.
  const retry = () => {
    for (const job of isWithin(outage, timeline.nowMs) ? [] : queue.jobs.values()) {
      if (jobOutcome(job) !== 'not_sent' && job.failedReason?.startsWith('rejected CONFIGURATION') !== true)
        continue;
      queue.retry(job);
      if (job.name === 'uploadInvoice') delete rows.get(String(job.data.request['referenceId']))?.invoice;
    }
    timeline.after(timeline.between(20_000, 90_000), retry);
  };
  retry();

  /** Concludes as the guide says: an upload in doubt is looked up two minutes after its last run, and added as a new job. */
  const person = () => {
    for (const [id, job] of queue.jobs) {
      const reference = String(job.data.request['referenceId']);
      const row = rows.get(reference);
      const isOld = job.finishedOn !== undefined && job.finishedOn < timeline.nowMs - 120_000;
      if (!row || !isOld || job.name !== 'uploadInvoice' || jobOutcome(job) !== 'unknown') continue;
      if (mock.invoices.all().some(({ referenceId }) => referenceId === reference)) continue;
      queue.forget(id);
      delete row.invoice;
      fleet.ask('invoice', longestAnswerMs, ({ invoice }) => invoice(row, false)).catch(() => undefined);
    }
    timeline.after(sweepsEachMs, person);
  };
  if (surroundings.hasPerson) person();

  async function checkOut(order: string): Promise<string | undefined> {
    await fleet.ask(`order ${order}`, longestAnswerMs, ({ place }) => place(`${order}-1`));
    return rows.get(`${order}-1`)?.url;
  }

  return {
    checkOut,
    payAgain: checkOut,
    async receive({ url, headers, body }) {
      const request = () => new Request(url, { method: 'POST', headers, body });
      const { status } = await fleet.ask('notification', longestAnswerMs, ({ webhook }) =>
        webhook.fetch(request()),
      );
      return status;
    },
    knows(reference, wasAcknowledged) {
      const row = rows.get(reference);
      if (wasAcknowledged) return Promise.resolve(row?.isPaid === true);
      // Without a notification, a person looks at what is open, in doubt, or accepted and not paid.
      return Promise.resolve(row !== undefined && row.end !== 'rejected' && row.end !== 'not_sent');
    },
    decide() {
      for (const [reference, row] of rows) {
        if ((row.end === 'not_sent' || row.end === 'rejected') && mock.payments.get(reference))
          records.violated('false outcome', `${reference} has a payment, and its order says ${row.end}`);
        const made = mock.invoices.all().filter(({ referenceId }) => referenceId === reference).length;
        if (row.isPaid && made === 0 && row.invoice !== 'unknown' && row.invoice !== 'not_sent')
          records.violated(
            'invoice',
            `${reference} is paid, has none, and its job says ${row.invoice ?? 'nothing'}`,
          );
      }
      return Promise.resolve();
    },
  };
}
