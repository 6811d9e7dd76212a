<?php
/**
 * A merchant in PHP: creates a payment, lets the mock pay it, and uploads an invoice. No extension is needed.
 *
 *   npx installment-payments mock
 *   php merchant.php http://127.0.0.1:4010
 */
declare(strict_types=1);

const CLIENT_ID = 'demo-client';
const SECRET_KEY = 'demo-secret';

/** @return array<string, mixed> the parsed answer; empty where none came, or one of a proxy */
function send(string $url, string $contentType, string $body, string $signature, array $headers = []): array
{
    $now = new DateTimeImmutable('now', new DateTimeZone('Asia/Ho_Chi_Minh'));
    $response = @file_get_contents($url, false, stream_context_create(['http' => [
        'method' => 'POST',
        'ignore_errors' => true,
        'timeout' => 15,
        'content' => $body,
        'header' => [
            "Content-Type: $contentType",
            'Client-Id: ' . CLIENT_ID,
            'Request-Time: ' . $now->format('Y-m-d H:i:s'),
            "Signature: $signature",
            ...$headers,
        ],
    ]]));
    return json_decode($response ?: '', true) ?? [];
}

function sign(string $text): string
{
    return hash_hmac('sha256', $text, SECRET_KEY);
}

function pay(string $base, array $order): array
{
    // Encoded once: the bytes that are signed are the bytes that are sent.
    $body = json_encode($order, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR);
    $key = ["Idempotency-Key: pay-{$order['referenceId']}"];
    // Without an answer the payment may exist: the same bytes go out again under the same key. Then a person looks it up.
    foreach ([1, 2, 4, 0] as $pause) {
        $answer = send("$base/v2/payments", 'application/json', $body, sign($body), $key);
        if (($answer['resultStatus'] ?? 'REQUEST_PROCESSING') !== 'REQUEST_PROCESSING') {
            break;
        }
        sleep($pause);
    }
    return $answer + ['resultStatus' => 'unknown', 'paymentUrl' => ''];
}

/** The mistake: the body is encoded again, with other flags, to sign it. */
function payWithMistake(string $base, array $order): array
{
    $body = json_encode($order, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR);
    return send("$base/v2/payments", 'application/json', $body, sign(json_encode($order, JSON_THROW_ON_ERROR)));
}

/** @param array<string, string> $fields */
function upload(string $base, array $fields, string $name, string $content): array
{
    $signed = ['merchantId', 'referenceId', 'paymentTransId', 'storeId', 'invoiceNumber', 'invoiceDate', 'description', 'extraData'];
    $canonical = implode('&', array_map(fn ($field) => "$field=" . ($fields[$field] ?? ''), $signed));
    $boundary = bin2hex(random_bytes(16));
    $body = '';
    foreach ($fields as $field => $value) {
        $body .= "--$boundary\r\nContent-Disposition: form-data; name=\"$field\"\r\n\r\n$value\r\n";
    }
    $body .= "--$boundary\r\nContent-Disposition: form-data; name=\"file\"; filename=\"$name\"\r\n"
        . "Content-Type: application/pdf\r\n\r\n$content\r\n--$boundary--\r\n";
    $type = "multipart/form-data; boundary=$boundary";
    return send("$base/v2/payments/upload-invoice", $type, $body, sign($canonical));
}

/** A control of the mock; the real service has none. */
function control(string $base, string $path, ?array $body = null): array
{
    $options = ['http' => ['timeout' => 15]];
    if ($body !== null) {
        $options['http'] += ['method' => 'POST', 'content' => json_encode($body)];
    }
    return json_decode(file_get_contents("$base/_mock/$path", false, stream_context_create($options)), true);
}

$base = $argv[1] ?? 'http://127.0.0.1:4010';
$order = ['referenceId' => 'PHP-1'] + json_decode(file_get_contents(__DIR__ . '/order.json'), true);

$payment = pay($base, $order);
echo "payment {$payment['resultStatus']} {$payment['paymentUrl']}\n";

control($base, 'settle', ['referenceId' => 'PHP-1', 'status' => 'paid']);
$fields = ['merchantId' => $order['merchantId'], 'referenceId' => 'PHP-1', 'description' => 'Hoá đơn tủ lạnh'];
$invoice = upload($base, $fields, 'invoice.pdf', file_get_contents(__DIR__ . '/../invoice.pdf'));
// An upload has no key: without an answer it is looked up, and not sent again.
$invoice += ['resultStatus' => 'unknown', 'invoiceId' => ''];
echo "invoice {$invoice['resultStatus']} {$invoice['invoiceId']}\n";

$refused = payWithMistake($base, ['referenceId' => 'PHP-2'] + $order);
echo 'mistake ', $refused['resultStatus'] ?? 'unknown', "\n";
$wrong = ['resultStatus' => 'INVALID_SIGNATURE', 'referenceId' => 'PHP-2'];
$entry = control($base, 'journal/find', ['match' => $wrong]);
echo "{$entry['diagnosis']['message']}\n{$entry['diagnosis']['fix']}\n";
