import fc from 'fast-check';
import { expect, test } from 'vitest';
import { signPayment } from '../../../src/index.js';
import { createMockService, samplePaymentRequest, type MockService } from '../../../src/mock/index.js';
import { runs } from '../../helpers/seed.js';

const merchants = ['A', 'B'].map((merchantId) => ({
  merchantId,
  clientId: `client-${merchantId}`,
  secretKey: `secret-of-${merchantId}`,
  storeIds: ['STORE-01'],
}));
type Merchant = (typeof merchants)[number];
type Settlement = 'paid' | 'declined' | 'expired';

const limit = 3;
const lifetimeMs = 60_000;

interface Payment {
  readonly merchantId: string;
  readonly referenceId: string;
  readonly key: string | undefined;
  readonly edition: number;
  readonly expiresMs: number;
  url: string;
  status: 'pending' | Settlement;
  settledMs?: number;
}

/** The state that a mock has to remember. */
interface Model {
  readonly mayStillBePaid: boolean;
  nowMs: number;
  /** Oldest first. */
  payments: Payment[];
  /** References of payments that were forgotten. */
  readonly forgotten: Set<string>;
}

interface Real {
  readonly mock: MockService;
  readonly clock: { ms: number };
}

function statusOf(payment: Payment, { nowMs }: Model): Payment['status'] {
  if (payment.status === 'pending' && nowMs >= payment.expiresMs)
    Object.assign(payment, { status: 'expired', settledMs: payment.expiresMs });
  return payment.status;
}

const bodyOf = ({ merchantId }: Merchant, referenceId: string, edition: number) =>
  JSON.stringify({
    requestType: 'installment',
    ...samplePaymentRequest({ referenceId, description: `Edition ${String(edition)}` }),
    merchantId,
    storeId: 'STORE-01',
    platformId: 'WEBSHOP',
    transExpiredTime: lifetimeMs,
    amount: { value: 12_000_000, currency: 'VND' },
    items: [
      { productId: '1', productName: 'Tủ lạnh', category: 'c', currency: 'VND', quantity: 1, price: 12_000_000, totalAmount: 12_000_000 }, // prettier-ignore
    ],
    shipping: { city: 'H', district: 'B', ward: 'K', street: 'K', houseNumber: '1', country: 'VN' },
  });

class Pay implements fc.AsyncCommand<Model, Real> {
  constructor(
    private readonly merchant: Merchant,
    private readonly referenceId: string,
    private readonly key: string | undefined,
    private readonly edition: number,
  ) {}

  check = () => true;

  async run(model: Model, { mock }: Real): Promise<void> {
    const { merchant, referenceId, key, edition } = this;
    const { merchantId, clientId, secretKey } = merchant;
    const body = bodyOf(merchant, referenceId, edition);
    const response = await mock.fetch('https://mock.example/v2/payments', {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'client-id': clientId,
        'request-time': '2026-11-20 10:04:05',
        signature: signPayment(body, secretKey),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
    });
    const { resultStatus, paymentUrl } = (await response.json()) as Record<string, string>;
    const own = model.payments.filter((payment) => payment.merchantId === merchantId);
    const known = key === undefined ? undefined : own.find((payment) => payment.key === key);
    if (known) {
      const isSame = known.referenceId === referenceId && known.edition === edition;
      expect([resultStatus, paymentUrl]).toEqual(
        isSame ? ['APPROVED', known.url] : ['INVALID_REQUEST', undefined],
      );
      return;
    }
    const name = `${merchantId} ${referenceId}`;
    if (model.forgotten.has(name) || own.some((payment) => payment.referenceId === referenceId)) {
      expect(resultStatus).toBe('DUPLICATE_REFERENCE_ID');
      return;
    }
    expect(resultStatus).toBe('APPROVED');
    expect(model.payments.map(({ url }) => url)).not.toContain(paymentUrl);
    const expiresMs = model.nowMs + lifetimeMs;
    const url = String(paymentUrl);
    model.payments.push({ merchantId, referenceId, key, edition, expiresMs, url, status: 'pending' });
    if (model.payments.length <= limit) return;
    const oldest = model.payments.shift();
    model.forgotten.add(`${String(oldest?.merchantId)} ${String(oldest?.referenceId)}`);
  }

  toString = () =>
    `pay(${this.merchant.merchantId}, ${this.referenceId}, ${String(this.key)}, ${String(this.edition)})`;
}

class Settle implements fc.AsyncCommand<Model, Real> {
  constructor(
    private readonly referenceId: string,
    private readonly merchantId: string | undefined,
    private readonly status: Settlement,
  ) {}

  check = () => true;

  run(model: Model, { mock }: Real): Promise<void> {
    const { referenceId, merchantId, status } = this;
    // Without a merchant it is the first that has the reference.
    const payment = merchants
      .filter((merchant) => merchantId === undefined || merchant.merchantId === merchantId)
      .map((merchant) =>
        model.payments.find(
          (each) => each.merchantId === merchant.merchantId && each.referenceId === referenceId,
        ),
      )
      .find((found) => found !== undefined);
    const settle = () => mock.settle(referenceId, status, merchantId);
    if (!payment) {
      expect(settle).toThrow('There is no payment');
      return Promise.resolve();
    }
    const current = statusOf(payment, model);
    const isLate = model.mayStillBePaid && status === 'paid';
    if (current === 'pending' || current === status || isLate) {
      expect(settle()).toMatchObject({ referenceId, merchantId: payment.merchantId, status });
      if (current !== status) Object.assign(payment, { status, settledMs: model.nowMs });
    } else expect(settle).toThrow(`The payment is ${current} already`);
    return Promise.resolve();
  }

  toString = () => `settle(${this.referenceId}, ${String(this.merchantId)}, ${this.status})`;
}

class Wait implements fc.AsyncCommand<Model, Real> {
  constructor(private readonly ms: number) {}

  check = () => true;

  run(model: Model, { clock }: Real): Promise<void> {
    model.nowMs += this.ms;
    clock.ms = model.nowMs;
    return Promise.resolve();
  }

  toString = () => `wait(${String(this.ms)})`;
}

class Reset implements fc.AsyncCommand<Model, Real> {
  check = () => true;

  run(model: Model, { mock }: Real): Promise<void> {
    mock.reset();
    model.payments = [];
    model.forgotten.clear();
    return Promise.resolve();
  }

  toString = () => 'reset';
}

/** Everything that the mock shows is as the model has it. */
class Look implements fc.AsyncCommand<Model, Real> {
  check = () => true;

  run(model: Model, { mock }: Real): Promise<void> {
    const shown = mock.payments.all().map((payment) => {
      const { merchantId, referenceId, status, paymentUrl, idempotencyKey, paymentTransId } = payment;
      expect(mock.payments.get(referenceId, merchantId)).toEqual(payment);
      expect(mock.payments.byToken(paymentUrl.split('/').at(-1) ?? '')).toEqual(payment);
      expect(paymentTransId !== undefined).toBe(status === 'paid');
      return [merchantId, referenceId, status, paymentUrl, idempotencyKey, payment.settledAt?.getTime()];
    });
    expect(shown).toEqual(
      model.payments.map((payment) => [
        payment.merchantId,
        payment.referenceId,
        statusOf(payment, model),
        payment.url,
        payment.key,
        payment.settledMs,
      ]),
    );
    return Promise.resolve();
  }

  toString = () => 'look';
}

test("the mock's payments are as in the model: keys, bodies, ends, time, forgetting and two merchants", async () => {
  const reference = fc.constantFrom('R-1', 'R-2', 'R-3');
  const merchant = fc.constantFrom(...merchants);
  const key = fc.constantFrom('K-1', 'K-2', 'K-3', undefined);
  const pay = fc.tuple(merchant, reference, key, fc.nat(1)).map((given) => new Pay(...given));
  const settle = fc
    .tuple(reference, fc.constantFrom('A', 'B', undefined), fc.constantFrom('paid', 'declined', 'expired'))
    .map((given) => new Settle(...given));
  const wait = fc.constantFrom(1, 30_000, lifetimeMs).map((ms) => new Wait(ms));
  const look = fc.constant(new Look());
  const reset = fc.constant(new Reset());
  await fc.assert(
    fc.asyncProperty(
      fc.commands([pay, pay, pay, settle, settle, wait, look, look, reset], {
        maxCommands: 60,
        size: 'max',
      }),
      fc.constantFrom('final', 'late'),
      async (commands, settlement) => {
        const clock = { ms: 0 };
        const options = {
          merchants,
          paymentLimit: limit,
          now: () => new Date(clock.ms),
          world: { settlement },
        };
        const real = { mock: createMockService(options), clock };
        const model = {
          mayStillBePaid: settlement === 'late',
          nowMs: 0,
          payments: [],
          forgotten: new Set<string>(),
        };
        await fc.asyncModelRun(() => ({ model, real }), commands);
      },
    ),
    { numRuns: runs(100) },
  );
});
