import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { InstallmentClient, type InstallmentClientOptions } from '../../src/index.js';
import { NotificationRejectedError } from '../../src/lender/index.js';
import { demoLender, receipt } from '../helpers/lender-samples.js';
import { instantRuntime } from '../helpers/runtime.js';
import { demo, invoiceUpload, paymentRequest, rejection } from '../helpers/samples.js';
import { answering, framed, scriptedFetch } from '../helpers/scripted-fetch.js';

const secret = 'Swordfish';
const order = paymentRequest({
  description: 'Tủ lạnh màu xanh ngọc',
  successRedirectUrl: 'https://shop.example/paid?token=tok_5d1f9b7e&n=1',
  unSuccessRedirectUrl: 'myapp://pay?session=s%C3%A9cret-77#fragment-88',
  customer: {
    phoneNumber: '+84912345678',
    email: 'Nguyen.Binh@Example.com',
    firstName: 'Thị Bích',
    lastName: 'Nguyễn',
  },
  shipping: { ...paymentRequest().shipping, street: 'Đường Láng Hạ' },
});

/** Ways in which code of the caller's may quote the order, and what of it must not be left. */
const spellings: readonly (readonly [string, quoted: string, hidden: RegExp])[] = [
  ['a phone number as it was given', '+84912345678', /912345678/],
  ['a phone number without +', '84912345678', /912345678/],
  ['a phone number in national form', '0912345678', /912345678/],
  ['a phone number with an international prefix', '0084912345678', /912345678/],
  ['a phone number in groups', '091 234 56-78', /234/],
  ['a phone number in groups, from abroad', '+84 (91) 234.5678', /234/],
  ['a phone number in a URL', 'tel=%2B84912345678', /912345678/],
  ['an e-mail address in small letters', 'nguyen.binh@example.com', /binh/],
  ['an e-mail address in capitals', 'NGUYEN.BINH@EXAMPLE.COM', /BINH/],
  ['an e-mail address in a URL', 'mail=Nguyen.Binh%40example.com', /Binh/],
  ['a decomposed name', 'Nguyễn'.normalize('NFD'), /Nguye/],
  ['a name in capitals', 'NGUYỄN', /NGUY/],
  ['a decomposed name in capitals', 'NGUYỄN'.normalize('NFD'), /NGUY/],
  ['a name in small letters', 'nguyễn', /nguy/],
  ['a name without accents', 'Nguyen', /Nguyen/],
  ['a name in a URL', encodeURIComponent('Nguyễn'), /Nguy/],
  ['a decomposed name in a URL', encodeURIComponent('Nguyễn'.normalize('NFD')), /Nguy/],
  ['one word of a name', 'Bích', /B.*ch/],
  ['one word of a name in capitals', 'BÍCH', /CH/],
  ['one word of a name, decomposed', 'Bích'.normalize('NFD'), /Bi/],
  ['a street without its capital stroke', 'duong lang ha', /lang/],
  ['the token of a redirect URL', 'tok_5d1f9b7e', /tok_/],
  ['the session of a deep link', 'sécret-77', /cret-77/],
  ['the session of a deep link as it was given', 's%C3%A9cret-77', /cret-77/],
  ['the fragment of a deep link', 'fragment-88', /88/],
  ['a part of a sentence', 'tủ lạnh MÀU xanh ngọc', /xanh/],
  ['the secret', 'Swordfish', /sword/i],
  ['the secret in other letters', 'SWORDFISH', /sword/i],
];

/** An error as a log prints it, without the lines of its stack, in which any number may occur. */
const inspected = (error: unknown) =>
  inspect(error, { depth: 9, showHidden: true }).replaceAll(/\n +at .*/g, '');

interface Thrower {
  readonly name: string;
  /** Runs a call whose caller's code throws the error there. */
  readonly run: (error: Error) => Promise<unknown>;
}

const client = (options: Partial<InstallmentClientOptions>) =>
  new InstallmentClient({ ...demo, secretKey: secret, maxRetries: 0, ...options }, instantRuntime());
const failing = (error: Error) => () => {
  throw error;
};

/** Every place where an error of the caller's may enter a payment's error. */
const throwers: readonly Thrower[] = [
  {
    name: 'beforeSend',
    run: (error) => client({ hooks: { beforeSend: failing(error) } }).initiatePayment(order),
  },
  {
    name: 'the secretKey function',
    run: (error) => {
      let asked = 0;
      const { fetch } = scriptedFetch(() => {
        throw Object.assign(new Error('x'), { code: 'ECONNREFUSED', syscall: 'connect' });
      });
      const secretKey = () => (asked++ === 0 ? secret : failing(error)());
      return client({ secretKey, fetch, maxRetries: 1 }).initiatePayment(order);
    },
  },
  {
    name: 'the fetch of the caller',
    run: (error) => client({ fetch: () => Promise.reject(error) }).initiatePayment(order),
  },
  {
    name: 'the reason of a signal',
    run: (error) => client({}).initiatePayment(order, { signal: AbortSignal.abort(error) }),
  },
  {
    name: 'a body of post',
    run: (error) => client({ hooks: { beforeSend: failing(error) } }).post('/v2/refunds', { order: [order] }),
  },
  {
    name: 'a stream of an upload',
    run: (error) => {
      const { customer, shipping, successRedirectUrl, unSuccessRedirectUrl } = order;
      const extraData = { customer, shipping, successRedirectUrl, unSuccessRedirectUrl };
      const file = new ReadableStream<Uint8Array>({ pull: failing(error) });
      return client({}).uploadInvoice({
        referenceId: 'R-1',
        description: order.description,
        extraData,
        file,
      });
    },
  },
];

describe.each(throwers)('an error of the caller, from $name', ({ run }) => {
  it.each(spellings)('does not show %s', async (_name, quoted, hidden) => {
    const error = await rejection(run(new Error(`no row for "${quoted}" here`)));
    expect(error).toMatchObject({ outcome: expect.any(String) as string });
    for (const text of [String(error), JSON.stringify(error), inspected(error)]) {
      expect(text.normalize('NFC')).not.toContain(quoted.normalize('NFC'));
      expect(text).not.toMatch(hidden);
    }
  });

  it.each(['name', 'code'])('does not show a secret that is a plain word as its %s', async (field) => {
    for (const word of ['Swordfish', 'swordfish']) {
      const error = await rejection(run(Object.assign(new Error('x'), { [field]: word })));
      expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/swordfish/i);
      expect(JSON.stringify(error)).not.toMatch(/swordfish/i);
    }
  });

  it('keeps texts that do not quote the order', async () => {
    const error = await rejection(
      run(Object.assign(new Error('advance payments are off'), { code: 'E_OFF' })),
    );
    expect(inspect(error)).toMatch(/advance payments are off|E_OFF/);
  });
});

describe('an error of a lender’s headers function', () => {
  it.each(['HỢP ĐỒNG 77', 'hợp đồng 77', 'Hop Dong 77', 'Hợp Đồng 77'.normalize('NFD')])(
    'does not show the contract as %s',
    async (quoted) => {
      const lender = demoLender({ headers: failing(new Error(`no contract ${quoted}`)) });
      const error = await rejection(lender.notifyPaymentReceipt(receipt({ contractNumber: 'Hợp Đồng 77' })));
      expect(inspected(error)).not.toMatch(/77/);
    },
  );
});

describe('inspection that reads accessors', () => {
  const canary = 'CANARY 0912345678';
  const options = { depth: 9, showHidden: true, getters: true } as const;

  it.each<[string, () => Promise<unknown>]>([
    ['bodyText', () => client({ fetch: answering(canary).fetch }).initiatePayment(order)],
    [
      'resultMsg',
      () =>
        client({
          fetch: answering({ resultStatus: 'INVALID_AMOUNT', resultMsg: canary }).fetch,
        }).initiatePayment(order),
    ],
    [
      'the body of a lender’s refusal',
      () =>
        demoLender({
          fetch: scriptedFetch(() => framed(JSON.stringify({ canary }), { status: 400 })).fetch,
        }).notifyPaymentReceipt(receipt()),
    ],
  ])('does not show %s', async (_name, call) => {
    const error = await rejection(call());
    expect(inspect(error, options)).not.toContain('CANARY');
    expect(inspect({ deep: [{ error }] }, options)).not.toContain('CANARY');
    expect(inspect(new Error('outer', { cause: error }), options)).not.toContain('CANARY');
  });

  it('still prints the message, the stack and the fields', async () => {
    const call = client({ fetch: answering({ resultStatus: 'INVALID_AMOUNT' }).fetch }).initiatePayment(
      order,
    );
    const printed = inspect(await rejection(call), { depth: 2 });
    expect(printed).toMatch(/^InvalidAmountError: initiatePayment ORDER:2026-0001/);
    expect(printed).toContain("outcome: 'rejected'");
    expect(printed).toMatch(/\n {4}at /);
  });

  it('can be read from the error itself', async () => {
    const { fetch } = scriptedFetch(() => framed(JSON.stringify({ canary }), { status: 400 }));
    const error = await rejection(demoLender({ fetch }).notifyPaymentReceipt(receipt()));
    expect(error instanceof NotificationRejectedError && error.body).toEqual({ canary });
  });
});

describe('an upload', () => {
  it('by a path that names the customer is refused without the name in other letters', async () => {
    const upload = invoiceUpload({ description: 'Nguyễn Bích', file: { path: '/nowhere/NGUYEN BICH.pdf' } });
    const error = await rejection(client({}).uploadInvoice(upload));
    expect(inspect(error, { depth: 9 })).not.toMatch(/BICH/);
  });
});
