import type { MockService, MockWebhookEvent } from '../../src/mock/index.js';
import type { Post, PostRequest } from '../../src/mock/common/exchange.js';
import type { Fetch, PaymentRequest } from '../../src/index.js';
import type { Records } from './records.js';
import type { Process, Timeline } from './timeline.js';

/** The course of a request to the service. */
export const requestFaults = [
  'refused',
  'reset',
  'lost-answer',
  'silent',
  'late',
  'late-answer',
  'gateway',
  'unavailable',
  'throttled',
  'cut-answer',
  'doubled',
  'stale-answer',
] as const;
export type RequestFault = (typeof requestFaults)[number];

/** The course of a notification. */
export const notificationFaults = ['lost', 'lost-answer', 'late', 'doubled'] as const;
export type NotificationFault = (typeof notificationFaults)[number];

/** The weather of an episode: how likely each fault is. */
export type Mix = Readonly<Partial<Record<RequestFault | `notification-${NotificationFault}`, number>>>;

const systemError = (code: string, syscall: string) =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
const broken = (code: string, syscall = 'read') =>
  new TypeError('fetch failed', { cause: systemError(code, syscall) });

const page = '<html><body>out of order</body></html>';
const pageOf = (status: number, headers: Record<string, string> = {}) =>
  new Response(page, { status, headers: { ...headers, 'content-length': String(page.length) } });

/** The first half of an answer, then the end of the connection. */
async function cut(response: Response): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  let wasSent = false;
  const body = new ReadableStream<Uint8Array>({
    pull(stream) {
      if (wasSent) stream.error(new TypeError('terminated', { cause: systemError('ECONNRESET', 'read') }));
      else stream.enqueue(bytes.subarray(0, bytes.length >> 1));
      wasSent = true;
    },
  });
  return new Response(body, { status: response.status });
}

/** Whether a notification tells of the payment that was asked for: a merchant drops one with another amount. */
export function isOf(
  { event, merchantId, amount }: MockWebhookEvent,
  request: PaymentRequest | undefined,
): boolean {
  const told: { readonly value: number; readonly currency: string } = amount;
  return (
    request !== undefined &&
    event === 'payment.settled' &&
    merchantId === request.merchantId &&
    told.value === request.amount.value &&
    told.currency === (request.amount.currency ?? 'VND')
  );
}

const referenceIn = /"referenceId"(?::"|\r\n\r\n)([\w:-]+)/;

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Carries requests to the service, and its notifications to the merchant, unless the seed decides otherwise. */
export class Network {
  mock!: MockService;
  /** Receives a notification at the merchant; rejects where nobody listens. */
  receive!: (request: PostRequest) => Promise<number>;
  readonly #staleAnswers: { readonly reference: string; readonly body: string; readonly status: number }[] =
    [];

  constructor(
    private readonly timeline: Timeline,
    private readonly records: Records,
    /** The faults that are possible now. */
    private readonly mix: () => Mix,
  ) {}

  /** The `fetch` of a process. */
  fetchOf(process: Process): Fetch {
    return (input, init) =>
      new Promise((resolve, reject) => {
        const arrived = (deliver: () => void) => process.run(deliver);
        const { signal } = init ?? {};
        signal?.addEventListener('abort', () => arrived(() => reject(signal.reason as Error)), {
          once: true,
        });
        this.#carry(input, init ?? {}, process).then(
          (response) => arrived(() => resolve(response)),
          (error: unknown) =>
            arrived(() => reject(error instanceof Error ? error : new Error(String(error)))),
        );
      });
  }

  async #carry(input: string | URL, { headers, body }: RequestInit, process: Process): Promise<Response> {
    const { timeline } = this;
    const fault = this.#strike(requestFaults, '');
    await timeline.sleep(timeline.between(1, 40));
    if (fault === 'refused') {
      timeline.note('request refused');
      throw broken('ECONNREFUSED', 'connect');
    }
    const bytes = await bytesOf(body as unknown as AsyncIterable<Uint8Array>);
    const isUpload = String(input).endsWith('upload-invoice');
    const operation = isUpload ? 'uploadInvoice' : 'initiatePayment';
    const [, reference = ''] = referenceIn.exec(bytes.toString('latin1')) ?? [];
    const number = this.records.sent();
    timeline.note('request', number, operation, reference, fault);
    const act = async () => {
      const answering = this.mock.fetch(input, { method: 'POST', headers: headers ?? {}, body: bytes });
      // The mock writes it down before anything else.
      const entry = this.mock.journal.all().at(-1);
      try {
        return await answering;
      } finally {
        timeline.note('served', number, entry?.resultStatus, entry?.httpStatus, entry?.acted);
        if (entry?.acted) this.records.acted({ number, operation, reference, process });
      }
    };
    const struck = await this.#struck(fault, act, { reference, isUpload });
    await timeline.sleep(timeline.between(1, 40));
    return struck;
  }

  async #struck(
    fault: RequestFault | undefined,
    act: () => Promise<Response>,
    { reference, isUpload }: { readonly reference: string; readonly isUpload: boolean },
  ): Promise<Response> {
    const { timeline } = this;
    const { repeat, uploads, answers } = this.mock.world();
    const perhapsAct = async () => {
      if (timeline.chance(0.5)) await act().catch(() => undefined);
    };
    switch (fault) {
      case 'reset':
        throw broken('ECONNRESET');
      case 'lost-answer':
        await act().catch(() => undefined);
        // The last is of a fetch that sends again by itself, and finds the server gone.
        throw broken(timeline.pick(['ECONNRESET', 'UND_ERR_SOCKET', 'EPIPE', 'ECONNREFUSED']));
      case 'silent':
        await perhapsAct();
        return new Promise(() => undefined);
      case 'late':
        await timeline.sleep(timeline.between(100, 60_000));
        return act();
      case 'late-answer': {
        const answer = await act();
        await timeline.sleep(timeline.between(100, 60_000));
        return answer;
      }
      case 'gateway':
        await perhapsAct();
        return pageOf(timeline.pick([500, 502, 504]));
      case 'unavailable':
        return pageOf(503, timeline.chance(0.5) ? { 'retry-after': '2' } : {});
      case 'throttled':
        return pageOf(429, { 'retry-after': String(timeline.pick([0, 1, 3, 40])) });
      case 'cut-answer':
        return cut(await act());
      case 'doubled': {
        const first = await act();
        // The guide to proxies says so: where a service does not know a repeated request, nothing behind a proxy that
        // repeats POSTs can be told.
        if (isUpload ? uploads === 'stored' : repeat === 'invalid') return first;
        await timeline.sleep(timeline.between(1, 2_000));
        return act();
      }
      case 'stale-answer': {
        const stale = this.#staleAnswers.findLast((each) => each.reference !== reference);
        await perhapsAct();
        // An answer without a referenceId cannot be told from another.
        if (!stale || answers === 'sparse') throw broken('ECONNRESET');
        return new Response(stale.body, { status: stale.status });
      }
      default: {
        const answer = await act();
        const text = await answer.text();
        this.#staleAnswers.push({ reference, body: text, status: answer.status });
        return new Response(text, { status: answer.status, headers: answer.headers });
      }
    }
  }

  /** The `post` of the mock's webhooks. */
  readonly post: Post = (request) => {
    const { timeline } = this;
    const { limitMs, signal } = request;
    return new Promise((resolve, reject) => {
      const cancel = timeline.after(limitMs, () => reject(new Error('no answer')));
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      this.#deliver(request).then(resolve, reject).finally(cancel);
    });
  };

  async #deliver(request: PostRequest): Promise<number> {
    const { timeline } = this;
    const fault = this.#strike(notificationFaults, 'notification-');
    const event = JSON.parse(request.body) as MockWebhookEvent;
    const { referenceId, status } = event;
    timeline.note('notification', referenceId, status, fault);
    await timeline.sleep(timeline.between(1, 40));
    if (fault === 'lost') throw systemError('ECONNRESET', 'read');
    if (fault === 'late') await timeline.sleep(timeline.between(100, 45_000));
    const receive = async () => {
      const httpStatus = await this.receive(request);
      timeline.note('notified', referenceId, status, httpStatus);
      if (httpStatus === 204 && isOf(event, this.mock.payments.get(referenceId)?.request))
        this.records.told(referenceId, status);
      return httpStatus;
    };
    if (fault === 'doubled') {
      const [first] = await Promise.all([receive(), timeline.sleep(timeline.between(0, 3)).then(receive)]);
      return first;
    }
    const httpStatus = await receive();
    if (fault === 'lost-answer') throw systemError('ECONNRESET', 'read');
    return httpStatus;
  }

  #strike<Fault extends RequestFault | NotificationFault>(
    faults: readonly Fault[],
    prefix: '' | 'notification-',
  ): Fault | undefined {
    const mix = this.mix() as Readonly<Record<string, number>>;
    const drawn = this.timeline.random();
    let sum = 0;
    return faults.find((fault) => drawn < (sum += mix[prefix + fault] ?? 0));
  }
}
