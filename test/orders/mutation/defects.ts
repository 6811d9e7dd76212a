/** A mistake that somebody has made, or could make: a text of a file, and the text in its place. */
export interface Defect {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const rules = 'src/orders/rules.ts';
const views = 'src/orders/views.ts';

/** Each is found by the search, without the unit tests. */
export const defects: readonly Defect[] = [
  {
    name: 'absent is concluded at any time',
    file: rules,
    from: 'isStopped && now >= safeAt',
    to: 'isStopped',
  },
  {
    name: 'a conclusion is safe when the claim ends',
    file: rules,
    from: 'Math.max(earlier, now + settings.safeAfterMs)',
    to: 'Math.max(earlier, now + settings.claimMs)',
  },
  {
    name: 'an open payment does not block the next one',
    file: views,
    from: "['new', 'sending', 'unknown', 'look_up', 'open']",
    to: "['new', 'sending', 'unknown', 'look_up']",
  },
  {
    name: 'an unknown payment does not block the next one',
    file: views,
    from: "['new', 'sending', 'unknown', 'look_up', 'open']",
    to: "['new', 'sending', 'look_up', 'open']",
  },
  {
    name: 'amounts are not compared',
    file: rules,
    from: 'event.value === asked.value ? []',
    to: 'event.value >= asked.value ? []',
  },
  {
    name: 'the end of a call counts for any claim',
    file: rules,
    from: "if (state !== 'sending' || claim?.token !== command.commandId) return { order };",
    to: "if (state !== 'sending' || !claim) return { order };",
  },
  {
    name: 'the end of a call counts in any state',
    file: rules,
    from: "if (state !== 'sending' || claim?.token !== command.commandId) return { order };",
    to: 'if (claim?.token !== command.commandId) return { order };',
  },
  {
    name: 'a cancelled order counts as paid',
    file: rules,
    from: 'if (isEnded(order)) return { order: counted, changed: true, firstPaid: false };',
    to: 'if (order.paidBy !== undefined) return { order: counted, changed: true, firstPaid: false };',
  },
  {
    name: 'a second payment pays the order again',
    file: rules,
    from: 'if (isEnded(order)) return { order: counted, changed: true, firstPaid: false };',
    to: 'if (order.cancelledAt !== undefined) return { order: counted, changed: true, firstPaid: false };',
  },
  {
    name: 'a late "accepted" opens a payment that has ended',
    file: rules,
    from: "if (linked.state === 'open' || !isLive(linked)) return linked;",
    to: "if (linked.state === 'open') return linked;",
  },
  {
    name: 'a claim without a result never ends',
    file: rules,
    from: "return state === 'sending' && claim ? claim.endsAt + graceMs : Infinity;",
    to: 'return Infinity;',
  },
  {
    name: 'a payment that is repeated no more is in no list',
    file: rules,
    from: "if (state === 'unknown' && !mayRepeat(payment, order, now, settings)) return become('look_up');",
    to: "if (state === 'unknown' && isEnded(order)) return become('look_up');",
  },
  {
    name: 'nobody moves what is overdue',
    file: rules,
    from: 'repeatsEndAt(payment), overdueAt(payment)',
    to: 'repeatsEndAt(payment)',
  },
  { name: 'the sends are counted anew', file: rules, from: 'sends: sends + 1,', to: 'sends: 1,' },
  {
    name: 'a call of which nothing was sent counts as refused',
    file: rules,
    from: '...before, nextAt };',
    to: "...before, nextAt, state: 'refused' };",
  },
  {
    name: 'a payment without a time of its own is overdue after a day',
    file: rules,
    from: 'stateAt, lifetimeMs = Infinity, openedAt = Infinity',
    to: 'stateAt, lifetimeMs = dayMs, openedAt = Infinity',
  },
  {
    name: 'each notification of money is the first',
    file: rules,
    from: 'order.paidBy === referenceId && endedToken === commandId',
    to: 'order.paidBy === referenceId',
  },
  {
    name: 'a notification that is decided again has another answer',
    file: rules,
    from: 'order.paidBy === referenceId && endedToken === commandId',
    to: 'false',
  },
  {
    name: 'money for a payment that has ended is ignored',
    file: rules,
    from: "  if (status === 'paid') return paid(order, payment, command, now, settings);\n",
    to: "  if (status === 'paid' && isLive(payment)) return paid(order, payment, command, now, settings);\n",
  },
  {
    name: 'repeatUnknown: false is ignored',
    file: rules,
    from: 'return settings.repeatUnknown && isInTime',
    to: 'return isInTime',
  },
  {
    name: 'an upload in doubt is repeated',
    file: rules,
    from: "return become('look_up', { error });",
    to: "return become('new', { error });",
  },
  {
    name: 'an upload follows while another one is in doubt and is stored twice',
    file: rules,
    from: "return state === 'look_up' && now >= safeAt ? become('new')",
    to: "return state === 'look_up' ? become('new')",
  },
  {
    name: 'a restore forgets the claims since the copy',
    file: rules,
    from: 'const known = { ...payment, mayExist: true, safeAt };',
    to: 'const known = { ...payment, mayExist: true };',
  },
  {
    name: 'a payment that was stopped is never overdue, and never left',
    file: views,
    from: "['look_up', state === 'look_up' ? stateAt : undefined],",
    to: '',
  },
  {
    name: 'a click that is decided again claims again',
    file: rules,
    from: '  const effect = effectOf(order, command.commandId);\n  if (effect) return { order, effect };\n  const next = begun',
    to: '  const next = begun',
  },
  {
    name: 'a payment without a link counts as started',
    file: views,
    from: "last.paymentUrl === undefined ? 'checking' : 'started'",
    to: "'started'",
  },
  {
    name: 'a second payment that was paid is not refunded',
    file: views,
    from: "state === 'paid' && paidBy !== referenceId",
    to: "state === 'paid' && paidBy === undefined",
  },
];
