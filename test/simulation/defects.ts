interface Change {
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
}

/** A mistake that the simulation must find: one text of a source file is another. */
export interface Defect extends Change {
  readonly name: string;
  readonly what: string;
  /** Where a second check would make up for it: that one is missing too. */
  readonly also?: Change;
}

export const defects: readonly Defect[] = [
  {
    name: 'repeat-taken-for-first',
    file: 'examples/shop/payments.ts',
    from: '{ isFirst: false, sendBefore }',
    to: '{ isFirst: true, sendBefore }',
    what: 'the recovery takes a repeat for a first call',
    also: {
      file: 'examples/shop/database.ts',
      from: "AND (?1 <> 'failed' OR askAt = startedAt)",
      to: '',
    },
  },
  {
    name: 'unknown-ends-attempt',
    file: 'examples/shop/payments.ts',
    from: "isFirst && error.outcome !== 'unknown'",
    to: 'isFirst',
    what: 'an unknown outcome ends the attempt, so that another may begin',
  },
  {
    name: 'new-reference-per-click',
    file: 'examples/shop/database.ts',
    from: "WHERE state IN ('starting', 'waiting', 'unknown');",
    to: "WHERE state IN ('waiting', 'unknown');",
    what: 'an attempt whose call is under way does not keep another from beginning',
  },
  {
    name: 'two-open-attempts',
    file: 'examples/shop/database.ts',
    from: "WHERE state IN ('starting', 'waiting', 'unknown');",
    to: "WHERE state IN ('starting');",
    what: 'a customer who waits may begin another attempt',
  },
  {
    name: 'late-payment-ignored',
    file: 'examples/shop/states.ts',
    from: "paid: [...unconfirmed, 'failed', 'declined', 'expired']",
    to: 'paid: unconfirmed',
    what: 'a payment that is reported after its decline does not count',
  },
  {
    name: 'invoice-without-claim',
    file: 'examples/shop/invoices.ts',
    from: 'if (claim === undefined) return;',
    to: '',
    what: 'each process uploads the invoice, whoever has claimed it',
  },
  {
    name: 'unknown-upload-again',
    file: 'examples/shop/invoices.ts',
    from: "error.outcome === 'unknown' ? 'unknown' : again",
    to: "error.outcome === 'unknown' ? 'ready' : again",
    what: 'an upload whose outcome is unknown is sent again without a person',
  },
  {
    name: 'interrupted-upload-again',
    file: 'examples/shop/database.ts',
    from: "UPDATE invoices SET state = 'unknown', detail = 'interrupted'",
    to: "UPDATE invoices SET state = 'ready', detail = 'interrupted'",
    what: 'an upload that a kill interrupted is sent again without a person',
  },
  {
    name: 'acknowledged-before-stored',
    file: 'examples/shop/webhook.ts',
    from: 'await database.settle(referenceId, state);',
    to: 'void database.settle(referenceId, state);',
    what: 'a notification is acknowledged before it is stored',
  },
  {
    name: 'own-unknown-forgotten',
    file: 'src/http/call-run.ts',
    from: "outcome === 'accepted' ? 'unknown' : worseOf(this.outcome, outcome)",
    to: "outcome === 'accepted' ? 'unknown' : outcome",
    what: 'the outcome of a call is that of its last attempt',
  },
  {
    name: 'sent-before-ignored',
    file: 'src/http/call-run.ts',
    from: "this.outcome = call.mayHaveBeenSent ? 'unknown' : 'not_sent';",
    to: "this.outcome = 'not_sent';",
    what: 'mayHaveBeenSent changes no outcome',
  },
  {
    name: 'lost-body-not-sent',
    file: 'src/http/fetch-transport.ts',
    from: 'wasTaken = true;',
    to: 'wasTaken = false;',
    what: 'a request whose body was taken counts as not sent',
  },
  {
    name: 'processing-rejects',
    file: 'src/protocol/result-statuses.ts',
    from: "const pending = row('unknown', true);",
    to: "const pending = row('rejected', true);",
    what: 'REQUEST_PROCESSING and DOWNSTREAM_ERROR count as refusals',
  },
  {
    name: 'gateway-rejects',
    file: 'src/http/response.ts',
    from: 'const isRefusal = httpStatus >= 400 && httpStatus < 500 && !undecided4xx',
    to: 'const isRefusal = httpStatus >= 400 && !undecided4xx',
    what: 'a 502 of a gateway counts as a refusal',
  },
  {
    name: 'conflict-rejects',
    file: 'src/http/response.ts',
    from: 'new Set([407, 408, 409, 421, 425])',
    to: 'new Set([407, 408, 421, 425])',
    what: 'a 409 without a resultStatus counts as a refusal',
  },
  {
    name: 'upload-repeated',
    file: 'src/protocol/endpoints.ts',
    from: "contentType: 'multipart/form-data',\n    policy: 'once',",
    to: "contentType: 'multipart/form-data',\n    policy: 'idempotent',",
    what: 'the client repeats an upload whose outcome is unknown',
  },
  {
    name: 'stale-answer-accepted',
    file: 'src/operations/judge-result.ts',
    from: "const another = (['referenceId', 'merchantId'] as const)",
    to: "const another = (['merchantId'] as const)",
    what: 'the answer for another order is taken for its own',
  },
  {
    name: 'duplicate-rejects',
    file: 'src/protocol/result-statuses.ts',
    from: 'DUPLICATE_REFERENCE_ID: unclear(',
    to: 'DUPLICATE_REFERENCE_ID: rejected(',
    what: 'DUPLICATE_REFERENCE_ID counts as a refusal',
  },
  {
    name: 'no-marker',
    file: 'src/bullmq/job-store.ts',
    from: 'await keep(known);',
    to: '',
    what: 'the worker leaves no marker before it sends',
  },
  {
    name: 'payer-sleeps',
    file: 'examples/shop/payments.ts',
    from: 'isFirst ? { sendBefore } : { sendBefore, mayHaveBeenSent: true, maxRetries: 0 }',
    to: 'isFirst ? {} : { mayHaveBeenSent: true, maxRetries: 0 }',
    what: 'a process that wakes long after its claim of a payment sends it',
  },
  {
    name: 'sender-sleeps',
    file: 'examples/shop/invoices.ts',
    from: '{ sendBefore, onUploadProgress:',
    to: '{ onUploadProgress:',
    what: 'a process that wakes long after its claim of an invoice sends it',
  },
  {
    name: 'worker-sleeps',
    file: 'src/queue/create-sender.ts',
    from: 'sendBefore,\n          // Absent',
    to: '// Absent',
    what: 'a worker that wakes long after its lock has ended sends its job',
  },
  {
    name: 'replicas-ignored',
    file: 'src/bullmq/job-store.ts',
    from: 'if (isSameConnection && reached >= replicas)',
    to: 'if (reached >= 0)',
    what: 'a request is sent whose marker is on no replica',
  },
  {
    name: 'marker-ignored',
    file: 'src/queue/create-sender.ts',
    from: "if (earlier === 'unknown' && isOnce)",
    to: "if (earlier === 'unknown' && isOnce && !store.history)",
    what: 'an upload is sent again after a run that may have sent it',
  },
  {
    name: 'earlier-run-forgotten',
    file: 'src/queue/job-failure.ts',
    from: 'if (worseOf(earlier, outcome) === outcome) return this;',
    to: 'if (worseOf(earlier, outcome) !== undefined) return this;',
    what: 'the outcome of a job is that of its last run',
  },
  {
    name: 'signature-not-checked',
    file: 'src/webhooks/verify-webhook.ts',
    from: 'if (matches.length === 0)',
    to: 'if (matches.length > keys.length)',
    what: 'any well-formed signature is accepted',
  },
  {
    name: 'event-not-awaited',
    file: 'src/webhooks/create-webhook-handler.ts',
    from: 'acknowledgement(await runCallerCode(() => onEvent(result.value, request)))',
    to: 'acknowledgement(void runCallerCode(() => onEvent(result.value, request)))',
    what: 'a webhook is acknowledged before its handler has ended',
  },
];
