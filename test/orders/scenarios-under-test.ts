import { vi } from 'vitest';
import { createOrderPayments, type OrderPayments, type OrderStorage } from '../../src/entries/orders.js';
import { interruptedStorage } from './interrupted-storage.js';
import { memoryStorage } from './memory-storage.js';
import { StrictService } from './strict-service.js';
import { eventOf, orderRequest } from './support.js';

const minute = 60_000;
const begin = Date.UTC(2026, 10, 20, 3);
const dearer = 13_000_000;
const invoice = { invoiceNumber: 'I-1', fileUrl: 'https://shop.example/1.pdf' };

/** A database, a service and a clock, over which processes of one shop run. */
export class ShopUnderTest {
  readonly service = new StrictService();
  readonly storage = memoryStorage();
  /** The orders for which onPaid has been called, and has not failed. */
  readonly shipped: string[] = [];
  onPaidFails = false;
  #now = begin;
  readonly #isMachineClock: boolean;

  /** @param isMachineClock - The database has the clock of the machines, which is faked. Else the clock is injected. */
  constructor(isMachineClock: boolean) {
    this.#isMachineClock = isMachineClock;
    if (isMachineClock) vi.setSystemTime(begin);
  }

  pass(minutes: number): void {
    this.#now += minutes * minute;
    if (this.#isMachineClock) vi.setSystemTime(this.#now);
  }

  process(storage: OrderStorage = this.storage): OrderPayments {
    return createOrderPayments({
      client: this.service.client,
      storage,
      onPaid: ({ orderId }) => {
        if (this.onPaidFails) throw new Error('the shop is down');
        this.shipped.push(orderId);
      },
      waitMs: 0,
      ...(!this.#isMachineClock && { now: () => new Date(this.#now) }),
    });
  }

  /** What the shop, the service and your staff see. */
  async seen() {
    const { payments, uploads, violations } = this.service;
    return {
      order: await this.process().get('A-1'),
      reviews: await this.process().forReview(),
      payments: [...payments.keys()],
      uploads: [...uploads],
      shipped: [...new Set(this.shipped)],
      violations,
    };
  }

  /** Lets sweeps and your staff finish what is left, and says what is seen then, apart from times. */
  async settled() {
    const payments = this.process();
    for (let sweeps = 0; sweeps < 6; sweeps += 1) {
      this.pass(5);
      await payments.sweep();
      for (const { reason, orderId, number = 0 } of await payments.forReview()) {
        const isStored = this.service.uploads.length > 0;
        if (reason === 'invoice_look_up')
          await payments.concludeInvoice(orderId, number, isStored ? 'stored' : 'absent');
      }
    }
    const { order, reviews, ...others } = await this.seen();
    const { paidAt: _paidAt, invoices, ...view } = order;
    return {
      ...others,
      view,
      invoices: invoices?.map(({ state }) => state),
      reviews: reviews.map(({ reason, referenceId, conclusions }) => ({ reason, referenceId, conclusions })),
    };
  }
}

export interface Scenario {
  readonly title: string;
  /** What has happened before. */
  readonly before?: (payments: OrderPayments, shop: ShopUnderTest) => Promise<unknown>;
  readonly call: (payments: OrderPayments) => Promise<unknown>;
}

const start = (payments: OrderPayments, value = 12_000_000) =>
  payments.start('A-1', orderRequest({ amount: { value } }), { additionalFields: { voucher: 'A' } });
const startUnknown = async (payments: OrderPayments, { service }: ShopUnderTest) => {
  service.fates.push('request lost');
  await start(payments);
};
const pay = (payments: OrderPayments) => payments.handleEvent(eventOf('A-1-1'));
const payOtherAmount = async (payments: OrderPayments) => {
  await start(payments);
  await start(payments, dearer);
  await pay(payments);
};
const startAndPay = async (payments: OrderPayments) => {
  await start(payments);
  await pay(payments);
};

export const scenarios: readonly Scenario[] = [
  { title: 'start', call: (payments) => start(payments) },
  {
    title: 'start without a request',
    before: (payments) => payments.add('A-1', orderRequest()),
    call: (payments) => payments.start('A-1'),
  },
  {
    title: 'start with another amount than what was stored',
    before: (payments) => payments.add('A-1', orderRequest()),
    call: (payments) => start(payments, dearer),
  },
  {
    title: 'start with another amount than what is open',
    before: (payments) => start(payments),
    call: (payments) => start(payments, dearer),
  },
  { title: 'add', call: (payments) => payments.add('A-1', orderRequest()) },
  { title: 'handleEvent with paid', before: (payments) => start(payments), call: pay },
  {
    title: 'handleEvent with declined',
    before: (payments) => start(payments),
    call: (payments) => payments.handleEvent(eventOf('A-1-1', 'declined')),
  },
  {
    title: 'handleEvent with another amount',
    before: (payments) => start(payments),
    call: (payments) => payments.handleEvent(eventOf('A-1-1', 'paid', dearer)),
  },
  {
    title: 'handleEvent with an unknown status',
    before: (payments) => start(payments),
    call: (payments) => payments.handleEvent(eventOf('A-1-1', 'SETTLED')),
  },
  { title: 'lookUp', before: startUnknown, call: (payments) => payments.lookUp('A-1-1') },
  {
    title: 'conclude absent',
    before: async (payments, shop) => {
      await startUnknown(payments, shop);
      await payments.lookUp('A-1-1');
      shop.pass(4);
    },
    call: (payments) => payments.conclude('A-1-1', 'absent', { by: 'Mai' }),
  },
  {
    title: 'conclude paid',
    before: (payments) => start(payments),
    call: (payments) => payments.conclude('A-1-1', 'paid'),
  },
  {
    title: 'conclude accept',
    before: payOtherAmount,
    call: (payments) => payments.conclude('A-1-1', 'accept'),
  },
  { title: 'markRefunded', before: payOtherAmount, call: (payments) => payments.markRefunded('A-1-1') },
  { title: 'cancel', before: (payments) => start(payments), call: (payments) => payments.cancel('A-1') },
  {
    title: 'addInvoice',
    before: startAndPay,
    call: (payments) => payments.addInvoice('A-1', invoice),
  },
  {
    title: 'concludeInvoice',
    before: async (payments, shop) => {
      await startAndPay(payments);
      await payments.addInvoice('A-1', invoice);
      shop.service.fates.push('response lost');
      await payments.sweep();
    },
    call: (payments) => payments.concludeInvoice('A-1', 1, 'stored'),
  },
  {
    title: 'sweep, which sends',
    before: async (payments, shop) => {
      await payments.add('A-1', orderRequest());
      shop.pass(2);
    },
    call: (payments) => payments.sweep(),
  },
  {
    title: 'sweep, which repeats',
    before: async (payments, shop) => {
      await startUnknown(payments, shop);
      shop.pass(2);
    },
    call: (payments) => payments.sweep(),
  },
  {
    title: 'sweep, which uploads',
    before: async (payments) => {
      await startAndPay(payments);
      await payments.addInvoice('A-1', invoice);
    },
    call: (payments) => payments.sweep(),
  },
  {
    title: 'sweep, which calls onPaid',
    before: async (payments, shop) => {
      shop.onPaidFails = true;
      await startAndPay(payments);
      shop.onPaidFails = false;
      shop.pass(3);
    },
    call: (payments) => payments.sweep(),
  },
  {
    title: 'restored',
    before: (payments) => payments.add('A-1', orderRequest()),
    call: (payments) => payments.restored(new Date(begin)),
  },
  { title: 'get', before: startAndPay, call: (payments) => payments.get('A-1') },
  { title: 'find', before: startAndPay, call: (payments) => payments.find('A-1-1') },
  { title: 'history', before: startAndPay, call: (payments) => payments.history('A-1') },
  {
    title: 'list',
    before: startAndPay,
    call: (payments) => payments.list({ changedSince: new Date(begin) }),
  },
  { title: 'forReview', before: payOtherAmount, call: (payments) => payments.forReview() },
];

export type Interrupt = Parameters<typeof interruptedStorage>[1];

/** A call of one process, whose statements are interrupted. */
export async function run(
  { before, call }: Scenario,
  interrupt: (shop: ShopUnderTest) => Interrupt,
  isMachineClock = false,
) {
  const shop = new ShopUnderTest(isMachineClock);
  await before?.(shop.process(), shop);
  const result = await call(shop.process(interruptedStorage(shop.storage, interrupt(shop)))).catch(
    (error: unknown) => error,
  );
  return { shop, result };
}

/** The call without a fault, and how many statements it runs. */
export async function reference(scenario: Scenario, isMachineClock = false) {
  let statements = 0;
  const count: Interrupt = async (statement) => {
    statements += 1;
    return statement();
  };
  const { shop, result } = await run(scenario, () => count, isMachineClock);
  return {
    result,
    history: await shop.process().history('A-1'),
    seen: await shop.seen(),
    settled: await shop.settled(),
    positions: Array.from({ length: statements }, (_, index) => index),
  };
}
