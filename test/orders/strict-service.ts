import { sampleError } from '../../src/entries/mock.js';
import type { OrdersClient } from '../../src/entries/orders.js';
import { demo } from '../helpers/samples.js';

type Arguments<Method extends 'initiatePayment' | 'uploadInvoice'> = Parameters<OrdersClient[Method]>;

/** What becomes of a call: the service acts and responds, it acts and the response is lost, or the request is lost. */
export type Fate = 'ok' | 'response lost' | 'request lost';

const paymentOptions = [
  'additionalFields',
  'idempotencyKey',
  'sendBefore',
  'mayHaveBeenSent',
  'maxRetries',
  'repeatUnknown',
];

/** A service with its client, which notes each call whose options break a rule of `orders`. */
export class StrictService {
  /** What becomes of the next calls; after them all are `'ok'`. */
  readonly fates: Fate[] = [];
  /** The broken rules. */
  readonly violations: string[] = [];
  /** The payments that exist, by reference. */
  readonly payments = new Map<string, string>();
  /** The uploads that were stored. */
  readonly uploads: string[] = [];
  readonly #sent = new Map<string, string>();

  readonly client: OrdersClient = {
    settings: { ...demo, totalTimeoutMs: 45_000, repeatUnknown: true },
    initiatePayment: async (...call) => this.#initiatePayment(...call),
    uploadInvoice: async (...call) => this.#uploadInvoice(...call),
  };

  #require(rule: string, isKept: boolean): void {
    if (!isKept) this.violations.push(rule);
  }

  /** As the client does it: after `sendBefore` it sends nothing. */
  #endsInTime(sendBefore: Date | undefined): void {
    this.#require('each call has sendBefore', sendBefore instanceof Date);
    if (sendBefore && sendBefore.getTime() <= Date.now())
      throw sampleError('TIMEOUT', { outcome: 'not_sent' });
  }

  async #initiatePayment(...[request, options = {}]: Arguments<'initiatePayment'>): Promise<never> {
    const { referenceId } = request;
    const unknown = Object.keys(options).filter((name) => !paymentOptions.includes(name));
    this.#require(`no other option than those of orders: ${unknown.join()}`, unknown.length === 0);
    this.#endsInTime(options.sendBefore);
    const { additionalFields, idempotencyKey = '', mayHaveBeenSent, maxRetries, repeatUnknown } = options;
    this.#require('a key of 64 hex digits', /^[0-9a-f]{64}$/.test(idempotencyKey));
    this.#require('repeatUnknown is false or absent', repeatUnknown !== true);
    const content = JSON.stringify([request, additionalFields, idempotencyKey]);
    const earlier = this.#sent.get(referenceId);
    this.#require('each send of a payment has the same content and key', (earlier ?? content) === content);
    const isMarked = mayHaveBeenSent === true && maxRetries === 0;
    this.#require('a repeated send is marked', earlier === undefined || isMarked);
    this.#require(
      'a marked send is not retried by the client, and only it',
      isMarked || (mayHaveBeenSent ?? maxRetries) === undefined,
    );
    this.#sent.set(referenceId, content);
    const fate = this.fates.shift() ?? 'ok';
    await Promise.resolve();
    if (fate !== 'request lost') this.payments.set(referenceId, content);
    if (fate !== 'ok') throw sampleError('CONNECTION');
    return { paymentUrl: `https://pay.example/${referenceId}`, qrData: `QR ${referenceId}` } as never;
  }

  async #uploadInvoice(...[upload, options = {}]: Arguments<'uploadInvoice'>): Promise<never> {
    const { sendBefore, ...others } = options;
    this.#endsInTime(sendBefore);
    this.#require('an upload is never retried', JSON.stringify(others) === '{"maxRetries":0}');
    const { merchantId, storeId, referenceId, invoiceNumber = '' } = upload;
    this.#require('an upload names its merchant', merchantId === demo.merchantId);
    this.#require('an upload names the store of its payment', storeId === demo.storeId);
    const fate = this.fates.shift() ?? 'ok';
    await Promise.resolve();
    if (fate !== 'request lost') this.uploads.push(`${referenceId} ${invoiceNumber}`);
    if (fate !== 'ok') throw sampleError('CONNECTION', { operation: 'uploadInvoice' });
    return { referenceId, invoiceId: 'INVOICE-1' } as never;
  }
}
