/** A possible mistake: a text of a file, and the text that replaces it. */
export interface Defect {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const paymentRules = 'src/orders/payment-rules.ts';
const webhookRules = 'src/orders/webhook-rules.ts';
const staffRules = 'src/orders/staff-rules.ts';
const timeRules = 'src/orders/time-rules.ts';
const due = 'src/orders/due.ts';
const invoiceRules = 'src/orders/invoice-rules.ts';
const paymentState = 'src/orders/payment-state.ts';
const reviews = 'src/orders/reviews.ts';
const orderView = 'src/orders/order-view.ts';

const otherAmount = '  if (!fitsOrder(payment, order)) return { ...paidDecision, otherAmount: true };\n';
const ended = 'if (isEnded(order)) return paidDecision;';

/** The search finds each of these defects without the unit tests. */
export const defects: readonly Defect[] = [
  {
    name: 'a paid amount is not compared with the amount due',
    file: webhookRules,
    from: otherAmount,
    to: '',
  },
  {
    name: "a paid amount is compared with the payment's own request",
    file: paymentState,
    from: 'isSameAmount(expected, amountDue);',
    to: 'isSameAmount(expected, expected);',
  },
  {
    name: 'a paid amount is compared with the request that began the last payment',
    file: paymentState,
    from: 'return askedNow ?? payments.at(-1)?.expected;',
    to: 'return payments.at(-1)?.expected ?? askedNow;',
  },
  {
    name: 'a request is forgotten while a payment is live',
    file: paymentRules,
    from: 'const updated = withAmountDue(order, next, now);',
    to: 'const updated = order.payments.some(isLive) ? order : withAmountDue(order, next, now);',
  },
  {
    name: 'the amount of a late payment is not compared',
    file: webhookRules,
    from: otherAmount,
    to: otherAmount.replace('!fitsOrder(payment, order)', 'isLive(payment) && !fitsOrder(payment, order)'),
  },
  {
    name: 'the amount of a payment that is concluded to be paid is not compared',
    file: webhookRules,
    from: otherAmount,
    to: otherAmount.replace('!fitsOrder(payment, order)', "'event' in command && !fitsOrder(payment, order)"),
  },
  {
    name: 'a request that is only added does not change the amount due',
    file: paymentRules,
    from: 'return { order: withNextPayment(order, next, { sendsLater: true }, now, settings) };',
    to: 'return { order: { ...withNextPayment(order, next, { sendsLater: true }, now, settings), askedNow: order.askedNow ?? next.expected } };',
  },
  {
    name: 'a link of another amount is shown',
    file: orderView,
    from: "if (!fitsOrder(last, order)) return 'changed';",
    to: '',
  },
  {
    name: 'a payment of another amount is first sent',
    file: paymentRules,
    from: 'const current = endOutdatedPayment(updated, now);',
    to: 'const current = updated;',
  },
  {
    name: 'a payment of another amount is first sent after its call could not be made',
    file: paymentRules,
    from: 'return { order: endOutdatedPayment(withPayment(order, next), now) };',
    to: 'return { order: withPayment(order, next) };',
  },
  {
    name: 'money of another amount does not hold the next payment',
    file: paymentState,
    from: 'mightBePaidDespiteMismatch(payment) || isOtherAmount(payment, order)',
    to: 'mightBePaidDespiteMismatch(payment)',
  },
  {
    name: 'money that a webhook names with another amount does not hold the next payment',
    file: paymentState,
    from: "mismatchPaid === true || (state === 'overdue'",
    to: "(state === 'overdue'",
  },
  {
    name: 'money of another amount is in no list',
    file: reviews,
    from: "['other_amount', isOtherAmount(payment, order) ? stateAt : undefined],",
    to: '',
  },
  {
    name: 'an open payment of another amount without transExpiredTime is in no list',
    file: reviews,
    from: "['changed', isChanged ? Math.max(stateAt, order.askedNow?.sinceAt ?? 0) : undefined],",
    to: '',
  },
  {
    name: 'another amount is accepted for an order that is paid',
    file: staffRules,
    from: 'if (!isOtherAmount(payment, order)) return { order, concluded: false };',
    to: "if (payment.state !== 'paid') return { order, concluded: false };",
  },
  {
    name: 'an order does not go on after a refund',
    file: paymentState,
    from: "return state === 'paid' && paidBy !== referenceId && refundedAt === undefined;",
    to: "return state === 'paid' && paidBy !== referenceId;",
  },
  {
    name: 'a repeat is sent as a first call',
    file: timeRules,
    from: '      mayExist: true,\n',
    to: '',
  },
  {
    name: 'only a process with onPaid stores that it is due',
    file: webhookRules,
    from: "settings.onPaid === 'firstPaid' ? undefined : { tries: 0",
    to: "settings.onPaid !== 'here' ? undefined : { tries: 0",
  },
  {
    name: 'onPaid that is not called for an hour is in no list',
    file: timeRules,
    from: 'pendingOnPaid && now >= onPaidReviewAt(changed)',
    to: 'pendingOnPaid && now > onPaidReviewAt(changed) + dayMs',
  },
  {
    name: 'a click after a refusal of the same content is sent at once',
    file: paymentRules,
    from: '(!sendsLater && now < earliest)',
    to: 'false',
  },
  {
    name: 'a payment that is added after a refusal of the same content is lost',
    file: paymentRules,
    from: '(!sendsLater && now < earliest)',
    to: 'now < earliest',
  },
  {
    name: 'a click sends a payment that was added after a refusal of the same content at once',
    file: paymentRules,
    from: 'return sends === 0 ? refusedUntil(order.payments.slice(0, -1), payment) : nextAt;',
    to: 'return sends === 0 ? 0 : nextAt;',
  },
  {
    name: 'an order without a client is in a list although nothing is to be sent',
    file: reviews,
    from: 'noClient?.isInReview && hasSomethingToSend(order)',
    to: 'noClient?.isInReview',
  },
  {
    name: 'absent is concluded at any time',
    file: staffRules,
    from: 'isStopped && now >= safeAt',
    to: 'isStopped',
  },
  {
    name: 'over is concluded for a payment that can still be made',
    file: staffRules,
    from: "return isSurelyEnded(found) || isKnownToExist(found) || isUnsent(found)\n        ? changeTo('over')\n        : endIfSafe('over');",
    to: "return changeTo('over');",
  },
  {
    name: 'a conclusion is safe when the claim ends',
    file: due,
    from: 'Math.max(earlier, now + safeAfterMs)',
    to: 'Math.max(earlier, now + claimMs)',
  },
  {
    name: 'an open payment does not block the next one',
    file: 'src/orders/order.ts',
    from: 'export const endedStates = [',
    to: "export const endedStates = ['open', ",
  },
  {
    name: 'an unknown payment does not block the next one',
    file: 'src/orders/order.ts',
    from: 'export const endedStates = [',
    to: "export const endedStates = ['unknown', ",
  },
  {
    name: 'amounts are not compared',
    file: webhookRules,
    from: 'event.value === expected.value ? []',
    to: 'event.value >= expected.value ? []',
  },
  {
    name: 'the end of a call counts for any claim',
    file: paymentRules,
    from: "if (state !== 'sending' || claim?.token !== command.commandId) return { order };",
    to: "if (state !== 'sending' || !claim) return { order };",
  },
  {
    name: 'the end of a call counts in any state',
    file: paymentRules,
    from: "if (state !== 'sending' || claim?.token !== command.commandId) return { order };",
    to: 'if (claim?.token !== command.commandId) return { order };',
  },
  {
    name: 'a cancelled order counts as paid',
    file: webhookRules,
    from: ended,
    to: ended.replace('isEnded(order)', 'order.paidBy !== undefined'),
  },
  {
    name: 'a second payment pays the order again',
    file: webhookRules,
    from: ended,
    to: ended.replace('isEnded(order)', 'order.cancelledAt !== undefined'),
  },
  {
    name: 'a late "accepted" opens a payment that has ended',
    file: paymentRules,
    from: "if (linked.state === 'open' || !isLive(linked)) return linked;",
    to: "if (linked.state === 'open') return linked;",
  },
  {
    name: 'a claim without a result never ends',
    file: timeRules,
    from: "return state === 'sending' && claim ? claim.endsAt + graceMs : Infinity;",
    to: 'return Infinity;',
  },
  {
    name: 'a payment that is repeated no more is in no list',
    file: timeRules,
    from: "payment.state === 'unknown' && !canRepeat(payment, order, now, settings)",
    to: "payment.state === 'unknown' && isEnded(order)",
  },
  {
    name: 'an overdue payment is not moved',
    file: timeRules,
    from: '      overdueAt(payment),\n      silentAt(payment),',
    to: '      silentAt(payment),',
  },
  {
    name: 'the sends are paidDecision from the beginning',
    file: due,
    from: 'sends: sends + 1,',
    to: 'sends: 1,',
  },
  {
    name: 'a call that sent nothing counts as refused',
    file: paymentRules,
    from: '...before, nextAt };',
    to: "...before, nextAt, state: 'refused' };",
  },
  {
    name: 'a payment without transExpiredTime is overdue after a day',
    file: timeRules,
    from: 'stateAt, lifetimeMs = Infinity, openedAt = Infinity',
    to: 'stateAt, lifetimeMs = dayMs, openedAt = Infinity',
  },
  {
    name: 'each webhook of money is firstPaid',
    file: webhookRules,
    from: 'const firstPaid = order.paidBy === referenceId && changed && acceptedToken === undefined;',
    to: 'const firstPaid = order.paidBy === referenceId;',
  },
  {
    name: 'a webhook that is decided again has a different result',
    file: webhookRules,
    from: 'const firstPaid = order.paidBy === referenceId && changed && acceptedToken === undefined;',
    to: 'const firstPaid = false;',
  },
  {
    name: 'money for a payment that has ended is ignored',
    file: webhookRules,
    from: "  if (status === 'paid') return markPaymentPaid(order, payment, command, now, settings);\n",
    to: "  if (status === 'paid' && isLive(payment)) return markPaymentPaid(order, payment, command, now, settings);\n",
  },
  {
    name: 'repeatUnknown: false is ignored',
    file: timeRules,
    from: 'return settings.repeatUnknown && isWithinLimits',
    to: 'return isWithinLimits',
  },
  {
    name: 'an upload in doubt is repeated',
    file: invoiceRules,
    from: "return changeTo('look_up', { error });",
    to: "return changeTo('new', { error });",
  },
  {
    name: 'an upload follows while another one is in doubt and is stored twice',
    file: invoiceRules,
    from: "if (now >= safeAt) return changeTo('new');",
    to: "return changeTo('new');",
  },
  {
    name: 'a restore ignores the claims since the copy',
    file: timeRules,
    from: 'const doubtful = { ...payment, mayExist: true, safeAt };',
    to: 'const doubtful = { ...payment, mayExist: true };',
  },
  {
    name: 'an order that is missing after a restore counts as new to the service',
    file: paymentRules,
    from: 'const mayExist = settings.restores.some(({ at }) => now < at + restoreMs);',
    to: 'const mayExist = false;',
  },
  {
    name: 'a restore is never applied',
    file: timeRules,
    from: 'if (pending.length === 0) return order;',
    to: 'if (pending.length >= 0) return order;',
  },
  {
    name: 'a payment that was stopped is in no list',
    file: reviews,
    from: "['look_up', state === 'look_up' ? stateAt : undefined],",
    to: '',
  },
  {
    name: 'a click that is decided again claims again',
    file: paymentRules,
    from: '  const effect = effectOf(order, commandId);\n  if (effect) return { order, effect };\n  const nextOrder',
    to: '  const nextOrder',
  },
  {
    name: 'a payment without a link counts as started',
    file: orderView,
    from: "last.paymentUrl === undefined ? 'checking' : 'started'",
    to: "'started'",
  },
  {
    name: 'a second payment that was paid is not refunded',
    file: paymentState,
    from: "return state === 'paid' && paidBy !== referenceId",
    to: "return state === 'paid' && paidBy === undefined",
  },
  {
    name: 'a sweep never calls onPaid',
    file: due,
    from: "return [{ type: 'callOnPaid', at: claim ? claim.endsAt + graceMs : nextAt, tries }];",
    to: 'return [];',
  },
];
