/**
 * The statements of a shop that pays orders in PostgreSQL. Each one decides alone, from READ COMMITTED on, so a process
 * that gets no row does nothing. Above READ COMMITTED, run a statement again that fails with 40001.
 *
 * A claim does not stop a process that has one. Take the time before you claim, `new Date(Date.now() + 60_000)`, and pass
 * it to the client as `sendBefore`: a process that was suspended after its claim sends nothing when it wakes.
 */
export const statements = {
  orders: `
CREATE TABLE IF NOT EXISTS orders (
  id               text PRIMARY KEY,
  paid_at          timestamptz,
  paid_by          text,                         -- the attempt that paid it
  cancelled_at     timestamptz,
  platform_told_at timestamptz                   -- where a platform owns the order
)`,

  attempts: `
CREATE TABLE IF NOT EXISTS payment_attempts (
  reference_id text PRIMARY KEY,
  order_id     text NOT NULL REFERENCES orders,
  request      jsonb NOT NULL,                   -- complete: with merchantId, storeId and platformId
  state        text NOT NULL DEFAULT 'new',      -- as above, or overdue, paid, declined, expired
  sends        int NOT NULL DEFAULT 0,           -- the number of the last claim
  sent_at      timestamptz,
  due_at       timestamptz,                      -- when its time to be paid is over
  looked_up_at timestamptz,                      -- since when nobody may claim it
  payment_url  text,
  refunded_at  timestamptz,
  invoice      text NOT NULL DEFAULT 'none'      -- due, sending, stored, look up
)`,

  openAttempt: `
-- One open attempt at a time for an order.
CREATE UNIQUE INDEX IF NOT EXISTS open_attempt ON payment_attempts (order_id)
  WHERE state IN ('new', 'sending', 'unknown', 'look up', 'started')`,

  add: `
-- A new attempt. No row: the order is paid or cancelled. Error 23505: another attempt is open.
INSERT INTO payment_attempts (reference_id, order_id, request)
SELECT $1, id, $3 FROM orders WHERE id = $2 AND paid_at IS NULL AND cancelled_at IS NULL FOR UPDATE`,

  claim: `
-- Claim an attempt for a minute. No row: do not send. With sends > 1, pass mayHaveBeenSent: true. For a service that acts
-- again on a repeated key, leave out the line about 'sending': such a row is looked up.
UPDATE payment_attempts SET state = 'sending', sends = sends + 1, sent_at = now()
WHERE reference_id = $1 AND sends < 10 AND (
  state IN ('new', 'unknown')
  OR state = 'sending' AND sent_at < now() - interval '2 minutes'
) AND EXISTS (SELECT FROM orders WHERE id = order_id AND paid_at IS NULL AND cancelled_at IS NULL)
RETURNING request, sends`,

  end: `
-- The call ended; $4 is the sends that its claim returned. A notification may have been faster, or another process may have
-- claimed the row while this one was suspended: then nothing changes, but a payment that exists is stored.
UPDATE payment_attempts SET
  state = $2, payment_url = $3, sends = CASE $2 WHEN 'new' THEN 0 ELSE sends END,
  looked_up_at = CASE $2 WHEN 'look up' THEN now() END,
  due_at = now() + coalesce((request->>'transExpiredTime')::bigint, 86400000) * interval '1 millisecond'
WHERE reference_id = $1
  AND (state = 'sending' AND sends = $4 OR $2 = 'started' AND state IN ('sending', 'unknown', 'look up'))`,

  paid: `
-- A verified notification, in the transaction of what follows from it. If it says paid, the order first. No row: it was
-- paid before, perhaps by another attempt.
UPDATE orders SET paid_at = now(), paid_by = $1
WHERE id = (SELECT order_id FROM payment_attempts WHERE reference_id = $1) AND paid_at IS NULL`,

  notified: `
-- Then the attempt. No row, and no such reference: throw. One invoice: of the attempt that paid an order which was not
-- cancelled.
UPDATE payment_attempts SET state = $2, invoice = CASE WHEN $2 = 'paid' AND EXISTS (
    SELECT FROM orders WHERE id = order_id AND paid_by = reference_id AND cancelled_at IS NULL
  ) THEN 'due' ELSE invoice END
WHERE reference_id = $1 AND state <> 'paid'
  AND ($2 = 'paid' OR state IN ('new', 'sending', 'unknown', 'look up', 'started', 'overdue'))`,

  overdue: `
-- Every minute: started attempts whose notification never came. The next attempt may begin; money still counts, and
-- these go on a list for your team.
UPDATE payment_attempts SET state = 'overdue'
WHERE state = 'started' AND due_at < now() - interval '10 minutes' RETURNING reference_id`,

  lookUp: `
-- Someone looks an attempt up. From now on nobody claims it.
UPDATE payment_attempts SET state = 'look up', looked_up_at = now()
WHERE reference_id = $1 AND state IN ('new', 'sending', 'unknown')`,

  conclude: `
-- They conclude that the service has no such payment. No row: wait. Whoever claimed it before may still send it.
UPDATE payment_attempts SET state = 'refused'
WHERE reference_id = $1 AND state = 'look up' AND looked_up_at < now() - interval '3 minutes'`,

  cancel: `
-- The shop cancels an order. No row: it is paid, so it is refunded instead. Its link may still be paid: see overpaid.
UPDATE orders SET cancelled_at = now() WHERE id = $1 AND paid_at IS NULL`,

  overpaid: `
-- Payments to refund: a second one of an order, or one of an order that was cancelled.
SELECT order_id, reference_id FROM payment_attempts JOIN orders ON id = order_id
WHERE state = 'paid' AND refunded_at IS NULL AND (paid_by <> reference_id OR cancelled_at IS NOT NULL)`,

  invoice: `
-- Mark an invoice, then upload it. A row that stays 'sending' is never sent again: someone looks it up.
UPDATE payment_attempts SET invoice = 'sending' WHERE reference_id =
  (SELECT reference_id FROM payment_attempts WHERE invoice = 'due' LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING reference_id`,

  toTell: `
-- A platform that owns the order is told until it has taken it: a process may die between the two statements.
SELECT id FROM orders WHERE paid_at IS NOT NULL AND platform_told_at IS NULL`,

  told: `
UPDATE orders SET platform_told_at = now() WHERE id = $1`,
} as const;
