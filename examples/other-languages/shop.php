<?php
/**
 * A shop in PHP with SQLite: an order is paid once, whatever gets lost on the way. It needs the extension pdo_sqlite.
 *
 *   npx installment-payments mock --webhook http://127.0.0.1:3000/webhooks/installments
 *   export INSTALLMENT_SECRET_KEY=demo-secret     # and INSTALLMENT_BASE_URL, …: see service.php
 *   PHP_CLI_SERVER_WORKERS=8 php -S 127.0.0.1:3000 shop.php     # the pages and the webhook
 *   php shop.php work       # beside it: repeats open payments, and uploads invoices
 *   php shop.php review     # prints the payments for review by staff
 *   curl -i -X POST 'http://127.0.0.1:3000/checkout?order=ORDER-1'
 */
declare(strict_types=1);

ini_set('display_errors', '0'); // an error that is displayed has the HTTP status 200
set_error_handler(fn (int $level, string $message) => throw new ErrorException($message));
require __DIR__ . '/service.php';

define('SHOP_URL', getenv('SHOP_URL') ?: 'http://127.0.0.1:3000');
const TIME_TO_PAY = 15 * 60_000; // milliseconds

// A payment is new (not at the service), sending or unknown (may exist, is sent again), look_up (may exist, staff ask
// the provider), started (has a link), overdue, refused, declined, expired or paid. An order has one live payment at
// a time.
const OPEN = "('new', 'sending', 'unknown')";
const LIVE = "('new', 'sending', 'unknown', 'look_up', 'started')";
const IS_ORDER_PAID = "EXISTS (SELECT 1 FROM payments p WHERE p.order_id = payments.order_id AND p.state = 'paid')";

/** Runs one statement, committed when it returns. Each statement decides alone, and does not rely on earlier reads. */
function query(string $sql, mixed ...$values): array
{
    static $database = null;
    $database ??= new PDO('sqlite:' . (getenv('SHOP_DATABASE') ?: 'shop.db'), options: [PDO::ATTR_TIMEOUT => 10]);
    $statement = $database->prepare($sql);
    $statement->execute($values);
    return $statement->fetchAll(PDO::FETCH_ASSOC);
}

query("CREATE TABLE IF NOT EXISTS payments (
    reference TEXT PRIMARY KEY, order_id TEXT NOT NULL, body TEXT NOT NULL, created_at INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'new', sends INTEGER NOT NULL DEFAULT 0, may_exist INTEGER NOT NULL DEFAULT 0,
    next_at INTEGER NOT NULL DEFAULT 0, payment_url TEXT, invoice TEXT NOT NULL DEFAULT 'none', mismatch TEXT)");
query('CREATE UNIQUE INDEX IF NOT EXISTS one_live_payment ON payments (order_id) WHERE state IN ' . LIVE);

function now(): int
{
    return (int) (microtime(true) * 1000);
}

/** Sends a payment if it is due and no other process is sending it. It always sends the stored bytes. */
function send(string $reference): bool
{
    [$now, $monotonic] = [now(), hrtime(true)]; // before the claim
    $claims = query("UPDATE payments SET state = 'sending', sends = sends + 1, may_exist = state <> 'new',
        next_at = :now + 120000 WHERE reference = :reference AND state IN " . OPEN . ' AND next_at <= :now
        AND created_at > :now - ' . TIME_TO_PAY . ' AND NOT ' . IS_ORDER_PAID . '
        RETURNING body, sends, may_exist', now: $now, reference: $reference);
    if (!$claims) {
        return false;
    }
    ['body' => $body, 'sends' => $sends, 'may_exist' => $mayExist] = $claims[0];
    // A process that was suspended after its claim sends nothing, because the payment can have been given up meanwhile.
    $isLate = now() - $now > 60_000 || hrtime(true) - $monotonic > 60e9;
    $reply = $isLate ? new Reply('not_sent') : create_payment($body);
    // Once a payment may exist, no later refusal and no failed connection proves that it does not.
    $state = match ($reply->outcome) {
        'approved' => 'started',
        'not_sent' => $mayExist ? 'unknown' : 'new',
        'refused' => $mayExist ? 'look_up' : 'refused',
        default => $reply->outcome,
    };
    $link = $state === 'started' ? $reply->answer['paymentUrl'] : null;
    $next = now() + 1000 * max(2 ** ($sends - 1), $reply->wait);
    // The waits double: so in the time to pay, a payment is sent ten times at most. A longer time needs a limit for `sends`.
    // A result counts only for its own claim, and a link always counts. If a webhook was faster, nothing changes.
    query("UPDATE payments SET state = :state, payment_url = :link, next_at = :next WHERE reference = :reference AND (
        state = 'sending' AND sends = :sends OR :state = 'started' AND state IN ('sending', 'unknown', 'look_up'))",
        state: $state, link: $link, next: $next, reference: $reference, sends: $sends);
    return true;
}

/** Uploads an invoice once. Its row is marked before the upload. After a crash or a lost response staff look it up. */
function upload(string $reference): void
{
    $marked = query("UPDATE payments SET invoice = 'sending' WHERE reference = :reference AND invoice = 'due'
        RETURNING reference", reference: $reference);
    if (!$marked) {
        return;
    }
    $fields = ['merchantId' => MERCHANT['merchantId'], 'referenceId' => $reference, 'description' => 'Hóa đơn'];
    $reply = upload_invoice($fields, 'invoice.pdf', file_get_contents(__DIR__ . '/../invoice.pdf'));
    $invoice = ['approved' => 'stored', 'not_sent' => 'due'][$reply->outcome] ?? 'look_up';
    query('UPDATE payments SET invoice = :invoice, next_at = :next WHERE reference = :reference',
        invoice: $invoice, next: now() + 1000 * max(60, $reply->wait), reference: $reference);
}

/** The payment that paid the order, or the last payment. */
function payment_of(string $order): ?array
{
    $rows = query("SELECT * FROM payments WHERE order_id = :order ORDER BY state = 'paid' DESC, rowid DESC LIMIT 1",
        order: $order);
    return $rows[0] ?? null;
}

/** Stores a payment before it is sent. A second click at the same moment stores nothing. */
function add_payment(string $order): void
{
    $number = 1 + query('SELECT count(*) AS number FROM payments WHERE order_id = :order', order: $order)[0]['number'];
    $page = SHOP_URL . "/orders/$order-$number";
    $body = [
        'referenceId' => "$order-$number", 'successRedirectUrl' => $page, 'unSuccessRedirectUrl' => $page,
        'lang' => 'vi', 'transExpiredTime' => TIME_TO_PAY,
    ] + MERCHANT + json_decode(file_get_contents(__DIR__ . '/order.json'), true); // the customer's cart
    query("INSERT OR IGNORE INTO payments (reference, order_id, body, created_at) SELECT :reference, :order, :body, :now
        WHERE NOT EXISTS (SELECT 1 FROM payments WHERE order_id = :order AND (state = 'paid' OR state IN " . LIVE . '))',
        reference: $body['referenceId'], order: $order, body: encode($body), now: now());
}

function respond(int $status, string $text = '', string $location = ''): never
{
    http_response_code($status);
    $location === '' || header("Location: $location", true, $status);
    exit($text);
}

function checkout(string $order): never
{
    if (!preg_match('/^[0-9a-zA-Z_:-]{1,50}$/D', $order)) {
        respond(400);
    }
    $payment = payment_of($order);
    if (!$payment || in_array($payment['state'], ['refused', 'declined', 'expired', 'overdue'], true)) {
        add_payment($order);
    }
    $until = now() + 5000;
    // A second click waits for the link that the first click gets.
    while (in_array(($payment = payment_of($order))['state'], ['new', 'sending', 'unknown'], true) && now() < $until) {
        send($payment['reference']) || usleep(250_000);
    }
    $page = "/orders/{$payment['reference']}";
    respond(303, location: $payment['state'] === 'started' ? $payment['payment_url'] : $page);
}

/** The page to which the customer comes back. It is public, so it only shows the state. */
function order_page(string $reference): never
{
    $rows = query('SELECT state, ' . IS_ORDER_PAID . ' AS is_paid FROM payments WHERE reference = :reference',
        reference: $reference);
    if (!$rows) {
        respond(404);
    }
    ['state' => $state, 'is_paid' => $isPaid] = $rows[0];
    respond(200, match (true) {
        $isPaid === 1 => 'Your order is paid. Thank you.',
        in_array($state, ['refused', 'declined', 'expired'], true) => 'This payment has ended. You can order again.',
        default => 'We are checking your payment. Please do not pay again.',
    });
}

function webhook(): never
{
    $body = file_get_contents('php://input'); // the raw bytes, which are signed
    if (!hash_equals(sign($body), $_SERVER['HTTP_SIGNATURE'] ?? '')) {
        respond(401);
    }
    $event = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
    ['referenceId' => $reference, 'status' => $status, 'merchantId' => $merchant, 'amount' => $amount] = $event;
    $rows = query('SELECT body FROM payments WHERE reference = :reference', reference: $reference);
    if (!$rows) {
        respond(500); // so that it is delivered again
    }
    $asked = json_decode($rows[0]['body'], true);
    // The amounts are compared as text, because JSON can write the same amount as 12000000.0.
    if ($merchant !== $asked['merchantId'] || (string) $amount['value'] !== (string) $asked['amount']['value']
        || $amount['currency'] !== $asked['amount']['currency']) {
        query('UPDATE payments SET mismatch = :body WHERE reference = :reference', body: $body, reference: $reference);
    } elseif ($status === 'paid') {
        // A paid payment counts whenever it is reported. Only the first payment of an order has an invoice. Ship only
        // once, too.
        query("UPDATE payments SET state = 'paid', next_at = 0, invoice = iif(" . IS_ORDER_PAID . ", 'none', 'due')
            WHERE reference = :reference AND state <> 'paid'", reference: $reference);
    } elseif ($status === 'declined' || $status === 'expired') {
        query("UPDATE payments SET state = :state WHERE reference = :reference
            AND (state = 'overdue' OR state IN " . LIVE . ')', state: $status, reference: $reference);
    }
    respond(204);
}

/** Does the work that is due. */
function work(): void
{
    // Nothing is sent once its time is over. Every link has ended when twice that time has passed. Its webhook
    // can take ten minutes more.
    query("UPDATE payments SET state = iif(state = 'new', 'expired', 'look_up')
        WHERE state IN " . OPEN . ' AND next_at <= :now AND created_at <= :now - ' . TIME_TO_PAY, now: now());
    query("UPDATE payments SET state = 'overdue' WHERE state = 'started' AND created_at <= :last",
        last: now() - 2 * TIME_TO_PAY - 600_000);
    foreach (query('SELECT reference, state FROM payments
            WHERE (state IN ' . OPEN . " OR invoice = 'due') AND next_at <= :now", now: now()) as $row) {
        try {
            $row['state'] === 'paid' ? upload($row['reference']) : send($row['reference']);
        } catch (Throwable $problem) { // one payment that fails stops no other
            error_log("{$row['reference']}: $problem");
        }
    }
}

/** Prints the payments that staff look up at the provider or refund. Then staff correct the row. */
function review(): void
{
    foreach (query("SELECT reference, state, invoice, mismatch FROM payments WHERE state IN ('look_up', 'overdue')
            OR state = 'paid' AND invoice NOT IN ('due', 'stored') OR mismatch IS NOT NULL") as $row) {
        echo json_encode($row), "\n";
    }
}

if (PHP_SAPI === 'cli') {
    for (; ($argv[1] ?? '') === 'work'; sleep(1)) {
        work();
    }
    review();
    exit;
}
$path = (string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
match (true) {
    "$_SERVER[REQUEST_METHOD] $path" === 'POST /checkout' => checkout($_GET['order'] ?? ''),
    "$_SERVER[REQUEST_METHOD] $path" === 'POST /webhooks/installments' => webhook(),
    str_starts_with($path, '/orders/') => order_page(rawurldecode(substr($path, 8))),
    default => respond(404),
};
