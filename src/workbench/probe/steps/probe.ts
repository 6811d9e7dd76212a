import { randomBytes, randomUUID } from 'node:crypto';
import { busyMs, foreverMs, paymentsOf, repeatsOf, showsPayment } from '../judge/payments.js';
import { acceptedForm, isAboutSignature, type Accepted } from '../judge/signing.js';
import {
  assumedOffset,
  isAnswered,
  isLink,
  isProcessing,
  isRefused,
  writings,
  wordsOf,
  type Answered,
  type Attempt,
  type Form,
  type ProbeRequest,
} from '../judge/transcript.js';
import { secretKeyEncodings, secretKeyProblem } from '../../../validation/secret-key.js';
import { signatureEncodings } from '../../../protocol/signature.js';
import { ProbeSession, Stopped, type ProbeTools } from './probe-session.js';
import type { Sandbox } from './requests.js';

/** Why a probe ended that its signal has ended. */
export const interrupted = 'interrupted';

const utc = '+00:00';
/** The offsets of Request-Time that are tried besides the assumed one: the last one is that of Singapore and China. */
const otherOffsets = [utc, '+08:00'] as const;
const beginning: Form = {
  signatureEncoding: 'hex',
  secretKeyEncoding: 'utf8',
  writing: 'indented',
  offset: assumedOffset,
  absentFields: 'empty',
};

/** Asks a sandbox what the specification leaves open. It resolves to why it stopped early; undefined after its last step. */
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
    // As the client writes, where the writing is of no account.
    const form: Form = { ...found, writing: writing === 'indented' ? 'compact' : writing };
    await this.session.ask(this.#order('S', { ...form, content: 'incomplete', sender: 'unknown client' }));
    const absentFields = await this.#findAbsentFields(form);
    const paid = await this.#firstPayment(form);
    if (absentFields) {
      const upload = { ...paid.request, absentFields, content: 'whole', sender: 'right' } as const;
      if (paid.mayExist) await this.session.ask(this.#upload(paid.request.referenceId, upload));
    }
    if (repeatsOf(this.session.transcript).every(({ kind }) => kind !== 'another' && kind !== 'other query'))
      await this.#secondPayment(form, paid.request.offset);
  }

  #order(name: string, more: Partial<ProbeRequest>): ProbeRequest {
    return {
      ...beginning,
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
   * Finds a form in which an incomplete order is answered otherwise than with a wrong signature. A service that checks the
   * shape first answers both alike: a whole order then shows it, and is a payment.
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
    const words = last ? `: the last answer was ${wordsOf(last.response)}` : '';
    throw new Stopped(
      `no form of the signature was answered otherwise than a wrong one${words}; check INSTALLMENT_SECRET_KEY and INSTALLMENT_CLIENT_ID`,
    );
  }

  /** Asks whether the service accepts a form: signed right, and then with a wrong signature in the same form. */
  async #tryForm(form: Form, control: Answered): Promise<Accepted | undefined> {
    const { content } = control.request;
    const request = this.#order('S', { ...form, content });
    let right = await this.session.ask(request);
    // A form that was not answered is asked again: if it is skipped, the next one may be taken for the only one that is accepted,
    // such as capitals as well as small letters.
    if (!isAnswered(right)) right = await this.session.ask(request);
    if (!isAnswered(right) || isEquivalent(right, control) || isAboutSignature(right)) return undefined;
    // Also where the control before it was of this form: a service may answer otherwise by and by.
    await this.session.ask(this.#order('S', { ...form, content, sender: 'wrong signature' }));
    return acceptedForm(this.session.transcript);
  }

  /** A wrong signature, with an offset at which the answer is about it, if there is one. */
  async #control(content: ProbeRequest['content']): Promise<Answered> {
    const ask = (offset: string) =>
      this.session.ask(this.#order('S', { content, offset, sender: 'wrong signature' }));
    const first = await ask(assumedOffset);
    if (!isAnswered(first)) {
      const words = first.response
        ? `the last was ${wordsOf(first.response)}, without a resultStatus that is its own`
        : 'no response came';
      throw new Stopped(`the service did not answer three times, ${words}: check INSTALLMENT_BASE_URL`);
    }
    if (isAboutSignature(first)) return first;
    for (const offset of otherOffsets) {
      const control = await ask(offset);
      if (isAnswered(control) && isAboutSignature(control)) return control;
    }
    return first;
  }

  async #findAbsentFields(form: Form): Promise<Form['absentFields'] | undefined> {
    for (const content of ['incomplete', 'whole'] as const) {
      const ask = (more: Partial<ProbeRequest>) =>
        this.session.ask(this.#upload(`${this.#run}-0`, { ...form, content, ...more }));
      // An upload that is stored whatever its signature is, or may be, is not sent again.
      const mayBeStored = (attempt: Attempt) =>
        isAnswered(attempt) ? attempt.response.resultStatus === 'APPROVED' : content === 'whole';
      if (mayBeStored(await ask({ sender: 'wrong signature' }))) return undefined;
      for (const absentFields of ['empty', 'omit'] as const) {
        const attempt = await ask({ absentFields });
        const accepted = acceptedForm(this.session.transcript, 'uploadInvoice');
        if (accepted) return accepted.form.absentFields;
        if (mayBeStored(attempt)) return undefined;
      }
    }
    return undefined;
  }

  /** A payment, first with an offset that is not the usual one, and its repeats. */
  async #firstPayment(form: Form) {
    const other = form.offset === utc ? assumedOffset : utc;
    const tried: string[] = [];
    let request = this.#order('1', form);
    let first: Attempt | undefined;
    // A request whose response was lost may have been acted on: what follows answers a repeat. A limited one was not.
    const isFree = () =>
      paymentsOf(this.session.transcript)
        .at(-1)
        ?.every((each) => isRefused(each) || each.response?.httpStatus === 429) === true;
    for (const offset of new Set([other, form.offset, assumedOffset, ...otherOffsets])) {
      if (first && !isFree()) break;
      tried.push(offset);
      request = this.#order('1', { ...form, offset });
      first = await this.session.ask(request);
    }
    if (isFree() && first && isRefused(first))
      throw new Stopped(
        `the order was refused with ${wordsOf(first.response)}: --order takes another one, unless the service reads Request-Time at another offset than ${tried.join(', ')}`,
      );
    let last = await this.session.ask(request);
    for (const atMs of [busyMs, foreverMs]) {
      if (!isProcessing(last)) break;
      await this.session.waitUntil((first?.endedAtMs ?? 0) + atMs + 500);
      last = await this.session.ask(request);
    }
    // The first link that is seen shows a payment; a second one, whether a repeat gives the same.
    const links = this.session.transcript.filter((each) => each.request === request && isLink(each));
    if (links.length === 1 && isLink(last)) await this.session.ask(request);
    return {
      request,
      mayExist: this.session.transcript.some((each) => each.request === request && showsPayment(each)),
    };
  }

  /** The same request twice at the same moment, with another offset than the first payment had. */
  async #secondPayment(form: Form, accepted: string): Promise<void> {
    const ask = (offset: string) => this.session.askTwice(this.#order('2', { ...form, offset }));
    const other = form.offset === accepted ? undefined : form.offset;
    const attempts = await ask(other ?? accepted);
    if (other !== undefined && attempts.every(isRefused)) await ask(accepted);
  }
}

/** The forms that are tried. A control that is not about the signature hardly differs by the form: few are tried then. */
function* candidates(control: Answered, secretKey: string): Generator<Form> {
  const { content, offset } = control.request;
  const isFew = content === 'incomplete' && !isAboutSignature(control);
  for (const writing of isFew ? writings.slice(0, 1) : writings)
    for (const secretKeyEncoding of secretKeyEncodings.filter((each) => !secretKeyProblem(secretKey, each)))
      for (const signatureEncoding of signatureEncodings)
        yield { ...beginning, offset, writing, secretKeyEncoding, signatureEncoding };
}

function isEquivalent(left: Attempt, right: Attempt): boolean {
  return !isAnswered(left) || !isAnswered(right) || wordsOf(left.response) === wordsOf(right.response);
}
