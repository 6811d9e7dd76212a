import { randomBytes, randomUUID } from 'node:crypto';
import { busyMs, foreverMs, paymentsOf, repeatsOf, showsPayment } from '../judge/payment-attempts.js';
import { acceptedForm, isAboutSignature, type Accepted } from '../judge/signing.js';
import {
  assumedOffset,
  isAnswered,
  isLink,
  isProcessing,
  isRefused,
  writings,
  responseText,
  type Answered,
  type Attempt,
  type Form,
  type ProbeRequest,
} from '../judge/transcript.js';
import { secretKeyEncodings, secretKeyProblem } from '../../../validation/secret-key.js';
import { signatureEncodings } from '../../../protocol/signature.js';
import { ProbeSession, Stopped, type ProbeTools } from './probe-session.js';
import type { Sandbox } from './requests.js';

/** The reason for the end of a probe whose signal was aborted. */
export const interrupted = 'interrupted';

const utc = '+00:00';
/**
 * The offsets of Request-Time that are tried besides the assumed offset. `+08:00` is the offset of Singapore and China.
 */
const otherOffsets = [utc, '+08:00'] as const;
/** The form of the first request. Each later request says in what it differs. */
const firstForm: Form = {
  signatureEncoding: 'hex',
  secretKeyEncoding: 'utf8',
  writing: 'indented',
  offset: assumedOffset,
  absentFields: 'empty',
};

/**
 * Tests what a sandbox does in points that the specification leaves open. Resolves to the reason if the probe ended
 * before its last step, and to undefined if not.
 */
export async function probe(sandbox: Sandbox, tools: ProbeTools): Promise<string | undefined> {
  const steps = new Steps(new ProbeSession(sandbox, tools), sandbox);
  try {
    await steps.run();
    return tools.signal.aborted ? interrupted : undefined;
  } catch (error) {
    if (tools.signal.aborted) return interrupted;
    if (error instanceof Stopped) return error.message;
    throw error;
  }
}

class Steps {
  readonly #run = `PROBE-${randomBytes(6).toString('hex')}`;

  constructor(
    private readonly session: ProbeSession,
    private readonly sandbox: Sandbox,
  ) {}

  async run(): Promise<void> {
    const { writing, ...found } = await this.#findForm();
    // If the serialization does not matter, the orders have the client's serialization.
    const form: Form = { ...found, writing: writing === 'indented' ? 'compact' : writing };
    await this.session.sendRequest(
      this.#order('S', { ...form, content: 'incomplete', sender: 'unknown client' }),
    );
    const absentFields = await this.#findAbsentFields(form);
    const paid = await this.#firstPayment(form);
    if (absentFields) {
      const upload = { ...paid.request, absentFields, content: 'whole', sender: 'right' } as const;
      if (paid.mayExist) await this.session.sendRequest(this.#upload(paid.request.referenceId, upload));
    }
    if (repeatsOf(this.session.transcript).every(({ kind }) => kind !== 'another' && kind !== 'other query'))
      await this.#secondPayment(form, paid.request.offset);
  }

  #order(name: string, more: Partial<ProbeRequest>): ProbeRequest {
    return {
      ...firstForm,
      operation: 'initiatePayment',
      content: 'whole',
      sender: 'right',
      referenceId: `${this.#run}-${name}`,
      idempotencyKey: randomUUID(),
      ...more,
    };
  }

  #upload(referenceId: string, more: Partial<ProbeRequest>): ProbeRequest {
    const { idempotencyKey: _none, ...request } = this.#order('', more);
    return { ...request, operation: 'uploadInvoice', referenceId };
  }

  /**
   * Finds a form that the service accepts: the response to an order in this form differs from the response to a wrong
   * signature. The first orders are incomplete, and create nothing. A service that checks the shape of an order before
   * its signature responds to all of them alike. Whole orders are then sent, which can create a payment.
   */
  async #findForm(): Promise<Form> {
    for (const content of ['incomplete', 'whole'] as const) {
      const control = await this.#control(content);
      for (const form of candidates(control, this.sandbox.secretKey)) {
        const accepted = await this.#tryForm(form, control);
        if (accepted) return accepted.form;
      }
      if (isAboutSignature(control)) break;
    }
    const last = this.session.transcript.filter(isAnswered).at(-1);
    const lastText = last ? `: the last response was ${responseText(last.response)}` : '';
    throw new Stopped(
      `no form of the signature got a response that differs from the response to a wrong signature${lastText}; check INSTALLMENT_SECRET_KEY and INSTALLMENT_CLIENT_ID`,
    );
  }

  /**
   * Tests whether the service accepts a form. Sends an order with a valid signature in this form, and then an order
   * with a wrong signature in the same form.
   */
  async #tryForm(form: Form, control: Answered): Promise<Accepted | undefined> {
    const { content } = control.request;
    const request = this.#order('S', { ...form, content });
    let right = await this.session.sendRequest(request);
    // A form without a response is tried again. If it was skipped, another form that the service accepts too, such as
    // hex in capitals, would be found instead.
    if (!isAnswered(right)) right = await this.session.sendRequest(request);
    if (!isAnswered(right) || isEquivalent(right, control) || isAboutSignature(right)) return undefined;
    // The same form is now sent with a wrong signature. An earlier response to a wrong signature is not enough, because
    // the responses of a service can change.
    await this.session.sendRequest(this.#order('S', { ...form, content, sender: 'wrong signature' }));
    return acceptedForm(this.session.transcript);
  }

  /**
   * Sends the control: an order with a wrong signature. One offset of Request-Time after another is tried, until the
   * response is about the signature.
   */
  async #control(content: ProbeRequest['content']): Promise<Answered> {
    const sendWithOffset = (offset: string) =>
      this.session.sendRequest(this.#order('S', { content, offset, sender: 'wrong signature' }));
    const first = await sendWithOffset(assumedOffset);
    if (!isAnswered(first)) {
      const lastText = first.response
        ? `the last response was ${responseText(first.response)}, without a resultStatus of the service itself`
        : 'no response arrived';
      throw new Stopped(
        `the service did not respond to the first request, which was sent three times (${lastText}): check INSTALLMENT_BASE_URL`,
      );
    }
    if (isAboutSignature(first)) return first;
    for (const offset of otherOffsets) {
      const control = await sendWithOffset(offset);
      if (isAnswered(control) && isAboutSignature(control)) return control;
    }
    return first;
  }

  async #findAbsentFields(form: Form): Promise<Form['absentFields'] | undefined> {
    for (const content of ['incomplete', 'whole'] as const) {
      const sendUpload = (more: Partial<ProbeRequest>) =>
        this.session.sendRequest(this.#upload(`${this.#run}-0`, { ...form, content, ...more }));
      // An upload that was stored despite a wrong signature, or might be stored, is not sent again.
      const mayBeStored = (attempt: Attempt) =>
        isAnswered(attempt) ? !isRefused(attempt) : content === 'whole';
      if (mayBeStored(await sendUpload({ sender: 'wrong signature' }))) return undefined;
      for (const absentFields of ['empty', 'omit'] as const) {
        const attempt = await sendUpload({ absentFields });
        const accepted = acceptedForm(this.session.transcript, 'uploadInvoice');
        if (accepted) return accepted.form.absentFields;
        if (mayBeStored(attempt)) return undefined;
      }
    }
    return undefined;
  }

  /**
   * Creates a payment, and repeats the request. The first try has Request-Time at an offset that has not been accepted
   * yet, to find out whether the service accepts any offset.
   */
  async #firstPayment(form: Form) {
    const other = form.offset === utc ? assumedOffset : utc;
    const tried: string[] = [];
    let request = this.#order('1', form);
    let first: Attempt | undefined;
    // True if no request has created the payment, so that its reference is free. A request whose response was lost
    // might have created the payment. A rate-limited request has not created it.
    const isFree = () =>
      paymentsOf(this.session.transcript)
        .at(-1)
        ?.every((each) => isRefused(each) || each.response?.httpStatus === 429) === true;
    for (const offset of new Set([other, form.offset, assumedOffset, ...otherOffsets])) {
      if (first && !isFree()) break;
      tried.push(offset);
      request = this.#order('1', { ...form, offset });
      first = await this.session.sendRequest(request);
    }
    if (isFree() && first && isRefused(first))
      throw new Stopped(
        `the order was refused with ${responseText(first.response)}: use a different order with --order, unless the service expects Request-Time at an offset other than ${tried.join(', ')}`,
      );
    let last = await this.session.sendRequest(request);
    for (const atMs of [busyMs, foreverMs]) {
      if (!isProcessing(last)) break;
      await this.session.waitUntil((first?.endedAtMs ?? 0) + atMs + 500);
      last = await this.session.sendRequest(request);
    }
    // The first link shows that there is a payment. A second link shows whether a repeat returns the same link.
    const links = this.session.transcript.filter((each) => each.request === request && isLink(each));
    if (links.length === 1 && isLink(last)) await this.session.sendRequest(request);
    return {
      request,
      mayExist: this.session.transcript.some((each) => each.request === request && showsPayment(each)),
    };
  }

  /**
   * Sends the same request twice at the same moment, if possible with Request-Time at an offset other than that of the
   * first payment.
   */
  async #secondPayment(form: Form, accepted: string): Promise<void> {
    const sendOrders = (offset: string) => this.session.sendPair(this.#order('2', { ...form, offset }));
    const other = form.offset === accepted ? undefined : form.offset;
    const attempts = await sendOrders(other ?? accepted);
    if (other !== undefined && attempts.every(isRefused)) await sendOrders(accepted);
  }
}

/** The forms to try. If an incomplete control got a response that is not about the signature, only a few are tried. */
function* candidates(control: Answered, secretKey: string): Generator<Form> {
  const { content, offset } = control.request;
  const isFew = content === 'incomplete' && !isAboutSignature(control);
  for (const writing of isFew ? writings.slice(0, 1) : writings)
    for (const secretKeyEncoding of secretKeyEncodings.filter((each) => !secretKeyProblem(secretKey, each)))
      for (const signatureEncoding of signatureEncodings)
        yield { ...firstForm, offset, writing, secretKeyEncoding, signatureEncoding };
}

function isEquivalent(left: Attempt, right: Attempt): boolean {
  return (
    !isAnswered(left) || !isAnswered(right) || responseText(left.response) === responseText(right.response)
  );
}
