import * as z from 'zod/mini';
import type { PaymentEvent } from './commands.js';
import { OrderError } from './order-error.js';

/** The statuses of this package. Webhooks contain these names, unless `statusAliases` lists other values. */
export const eventStatuses = ['paid', 'declined', 'expired', 'pending'] as const;
export type EventStatus = (typeof eventStatuses)[number];

export type StatusAliases = Partial<Readonly<Record<EventStatus, readonly string[] | undefined>>>;

/**
 * The schema of the event that `handleEvent` accepts, for `createWebhookHandler`. Use this schema if your provider's
 * webhooks have this shape, as the webhooks of the mock do. All other fields are removed from the event.
 *
 * @example
 * ```ts
 * import { orderEventSchema, type OrderPayments } from 'installment-payments/orders';
 * import { createWebhookHandler } from 'installment-payments/webhooks';
 *
 * export function webhookOf(payments: OrderPayments) {
 *   return createWebhookHandler({
 *     schema: orderEventSchema,
 *     onEvent: async (event) => {
 *       await payments.handleEvent(event);
 *     },
 *   });
 * }
 * ```
 */
export const orderEventSchema = z.object({
  referenceId: z.string(),
  status: z.string(),
  amount: z.object({ value: z.number(), currency: z.string() }),
  // Some services send null for an absent field.
  merchantId: z.pipe(
    z.nullish(z.string()),
    z.transform((id) => id ?? undefined),
  ),
});

/** Parses an event, and maps its status to a status of this package. */
export function eventOf(given: unknown, aliases: StatusAliases): PaymentEvent {
  const { data, error } = orderEventSchema.safeParse(given);
  if (error) {
    const [wrong] = error.issues;
    throw new OrderError(
      'EVENT_UNREADABLE',
      'the event must be { referenceId, status, amount: { value, currency } }, and amount.value must be a number: check ' +
        ['event', ...(wrong?.path ?? [])].join('.'),
    );
  }
  const { referenceId, status: value, amount, merchantId } = data;
  const about = { referenceId, ...amount, ...(merchantId !== undefined && { merchantId }) };
  const status = eventStatuses.find((each) => valuesOf(each, aliases).includes(value));
  return status ? { ...about, status } : { ...about, status: 'unknown', unknownStatus: value };
}

function valuesOf(status: EventStatus, aliases: StatusAliases): readonly string[] {
  return aliases[status] ?? [status];
}

/** Returns the known status value that differs from `unknown` only in case or spaces, probably by mistake. */
export function nearStatus(unknown: string, aliases: StatusAliases): string | undefined {
  const normalized = (status: string) => status.trim().toLowerCase();
  return eventStatuses
    .flatMap((status) => valuesOf(status, aliases))
    .find((known) => normalized(known) === normalized(unknown));
}
