import { maxInvoices } from '../protocol/limits.js';
import { readProperty, tryParseJson } from '../values/untrusted-values.js';
import type { Command, Decided, RuleSettings } from './commands.js';
import type { Invoice, Order } from './order.js';
import { backoffMs, inState, notBefore, withInvoice } from './order-parts.js';

/*
 * The rules of invoices. An upload is repeated automatically only if the service certainly stored nothing, because the
 * service cannot detect a duplicate.
 */

/** The error code of an invoice that was not sent, because its file could not be loaded. */
export const fileNotLoaded = 'FILE_NOT_LOADED';

/** True for an invoice that was not sent, and whose stored upload was erased. The shop must add it again. */
export function isUploadErased({ state, upload }: Invoice): boolean {
  return state === 'new' && upload === undefined;
}

/** The `invoiceNumber` of an upload; undefined if the upload has no number, or was erased. */
export function invoiceNumberOf({ upload }: Invoice): string | undefined {
  const number = readProperty(readProperty(tryParseJson(upload ?? ''), 'upload'), 'invoiceNumber');
  return typeof number === 'string' ? number : undefined;
}

export function addInvoice(
  order: Order,
  { upload, contentHash }: Command<'addInvoice'>,
  now: number,
): Decided {
  const kept = order.invoices.filter(
    (invoice) => !['refused', 'not_loaded', 'dropped'].includes(invoice.state) && !isUploadErased(invoice),
  );
  if (kept.some((invoice) => invoice.contentHash === contentHash)) return { order };
  if (kept.length >= maxInvoices) return { order, problem: 'too_many_invoices' };
  const number = order.invoices.length + 1;
  const added: Invoice = { number, upload, contentHash, state: 'new', stateAt: now, sends: 0, nextAt: now };
  return { order: { ...order, invoices: [...order.invoices, added] } };
}

export function uploadEnded(
  order: Order,
  command: Command<'uploadEnded'>,
  now: number,
  settings: RuleSettings,
): Decided {
  const { result } = command;
  const invoice = order.invoices.find(({ number }) => number === command.number);
  if (!invoice) return { order };
  const { state, claim, sends } = invoice;
  const changeTo = (next: Invoice['state'], more?: Partial<Invoice>): Decided => ({
    order: withInvoice(order, inState(invoice, next, now, more)),
  });
  if (result.step === 'accepted') {
    const { invoiceId } = result;
    const more = { error: undefined, ...(invoiceId !== undefined && { invoiceId }) };
    return state === 'stored' ? { order } : changeTo('stored', more);
  }
  const isInDoubt = state === 'sending' || state === 'look_up';
  if (!isInDoubt || claim?.token !== command.commandId) return { order };
  if (!('error' in result))
    return changeTo('new', { sends: sends - 1, nextAt: now + settings.repeatAfterMs });
  const { step, error, retryAfterMs } = result;
  if (step === 'repeat' || step === 'look_up') return changeTo('look_up', { error });
  if (step !== 'call_again' || sends >= settings.mostSends)
    return changeTo(error.code === fileNotLoaded ? 'not_loaded' : 'refused', { error });
  const nextAt = Math.max(now + backoffMs(sends, settings), notBefore(retryAfterMs, now));
  return changeTo('new', { error, nextAt });
}

export function concludeInvoice(order: Order, command: Command<'concludeInvoice'>, now: number): Decided {
  const invoice = order.invoices.find(({ number }) => number === command.number);
  if (!invoice) return { order, problem: 'no_invoice' };
  const { state, safeAt = now } = invoice;
  const changeTo = (next: Invoice['state']): Decided => ({
    order: withInvoice(order, inState(invoice, next, now, { nextAt: now })),
    concluded: true,
  });
  if (command.conclusion === 'stored')
    return state === 'stored' ? { order, concluded: true } : changeTo('stored');
  switch (state) {
    case 'new':
      return isUploadErased(invoice) ? changeTo('dropped') : { order, concluded: true };
    case 'dropped':
      return { order, concluded: true };
    case 'refused':
    case 'not_loaded':
      return changeTo('dropped');
    case 'look_up':
      if (now >= safeAt) return changeTo('new');
      return { order, concluded: false, safeAt };
    case 'sending':
      return { order, concluded: false, safeAt };
    // Includes the states of later versions.
    default:
      return { order, concluded: false };
  }
}
