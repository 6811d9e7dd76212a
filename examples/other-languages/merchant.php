<?php
/**
 * A merchant in PHP: creates a payment, lets the mock pay it, and uploads an invoice.
 *
 *   npx installment-payments mock
 *   export INSTALLMENT_SECRET_KEY=demo-secret
 *   php merchant.php http://127.0.0.1:4010
 */
declare(strict_types=1);

$baseUrl = $argv[1] ?? null;
require __DIR__ . '/service.php';

function pay(array $order): Reply
{
    // While the outcome is unknown, the same bytes are sent again with the same key. Then staff look the payment up.
    $body = encode($order);
    foreach ([1, 2, 4, 0] as $pause) {
        $reply = create_payment($body);
        if (!in_array($reply->outcome, ['not_sent', 'unknown'], true)) {
            break;
        }
        sleep(max($pause, $reply->wait));
    }
    return $reply;
}

/** A deliberate mistake: the order is encoded again, with other flags, to sign it. */
function pay_with_mistake(array $order): Reply
{
    $signature = sign(json_encode($order, JSON_THROW_ON_ERROR));
    return post('/v2/payments', encode($order), $signature, ['Content-Type: application/json']);
}

/** A control of the mock; the real service has none. */
function control(string $path, array $body): array
{
    $options = ['method' => 'POST', 'content' => json_encode($body), 'timeout' => 15];
    $context = stream_context_create(['http' => $options]);
    return json_decode(file_get_contents(BASE_URL . "/_mock/$path", false, $context), true);
}

$order = ['referenceId' => 'PHP-1'] + json_decode(file_get_contents(__DIR__ . '/order.json'), true);

$payment = pay($order);
echo 'payment ', $payment->answer['resultStatus'] ?? $payment->outcome, ' ', $payment->answer['paymentUrl'] ?? '', "\n";

control('settle', ['referenceId' => 'PHP-1', 'status' => 'paid']);
$fields = ['merchantId' => $order['merchantId'], 'referenceId' => 'PHP-1', 'description' => 'Hóa đơn tủ lạnh'];
$invoice = upload_invoice($fields, 'invoice.pdf', file_get_contents(__DIR__ . '/../invoice.pdf'));
// An upload has no key. If its outcome is unknown, look it up, and do not send it again.
echo 'invoice ', $invoice->answer['resultStatus'] ?? $invoice->outcome, ' ', $invoice->answer['invoiceId'] ?? '', "\n";

$refused = pay_with_mistake(['referenceId' => 'PHP-2'] + $order);
echo 'mistake ', $refused->answer['resultStatus'] ?? $refused->outcome, "\n";
$wrong = ['resultStatus' => 'INVALID_SIGNATURE', 'referenceId' => 'PHP-2'];
$entry = control('journal/find', ['match' => $wrong]);
echo "{$entry['diagnosis']['message']}\n{$entry['diagnosis']['fix']}\n";
