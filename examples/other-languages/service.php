<?php
/**
 * Calls the service: signs, sends each request once, and returns the outcome. It needs the extension curl.
 *
 * An outcome is one of:
 *     approved    the payment or invoice exists
 *     not_sent    certainly not at the service, or refused for now (429): send it again later
 *     refused     the service refused it
 *     unknown     it may exist: send the same bytes again later (a payment), or look it up (an invoice)
 *     look_up     it may exist, and sending it again would not show whether it does
 */
declare(strict_types=1);

function setting(string $name, string $default): string
{
    $value = getenv("INSTALLMENT_$name");
    return $value === false ? $default : $value;
}

define('BASE_URL', rtrim($baseUrl ?? setting('BASE_URL', 'http://127.0.0.1:4010'), '/'));
define('CLIENT_ID', setting('CLIENT_ID', 'demo-client'));
define('SECRET_KEY', setting('SECRET_KEY', ''));
define('MERCHANT', [
    'merchantId' => setting('MERCHANT_ID', 'DEMO-MERCHANT'),
    'storeId' => setting('STORE_ID', 'STORE-01'),
    'platformId' => setting('PLATFORM_ID', 'WEBSHOP'),
]);
if (SECRET_KEY === '') {
    throw new RuntimeException('INSTALLMENT_SECRET_KEY is not set, so forged webhooks could not be detected');
}

const SIGNED_FIELDS = [
    'merchantId', 'referenceId', 'paymentTransId', 'storeId', 'invoiceNumber', 'invoiceDate', 'description', 'extraData',
];
const REFUSALS = [
    'ACCESS_DENIED', 'INVALID_REQUEST', 'INVALID_REFERENCE_ID', 'INVALID_STORE_ID', 'INVALID_CLIENT_ID',
    'INVALID_SIGNATURE', 'INVALID_MERCHANT_ID', 'INVALID_HTTP_METHOD', 'INVALID_API', 'INVALID_AMOUNT',
    'PHONE_NUMBER_UNAVAILABLE', 'PHONE_NUMBER_INVALID', 'AMOUNT_EXCEEDED_UPPER_LIMIT', 'AMOUNT_BELOW_MINIMUM_LIMIT',
    'ERROR_GENERAL', 'INVALID_FILE_TYPE', 'FILE_TOO_LARGE', 'LIMIT_EXCEEDED',
];
// Only these errors of curl prove that no byte of the request was sent: it had no connection yet, or no secure one.
const NOT_SENT = [CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_PEER_CERTIFICATE];

/** The outcome of a call. `wait` is the number of seconds that the service asks the caller to wait. */
final class Reply
{
    public function __construct(
        public readonly string $outcome,
        public readonly array $answer = [],
        public readonly int $wait = 0,
    ) {
    }
}

function sign(string $text): string
{
    return hash_hmac('sha256', $text, SECRET_KEY);
}

/** Encodes an order once: these bytes are stored, signed and sent. */
function encode(array $order): string
{
    return json_encode($order, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR);
}

/** Creates a payment from an encoded order. */
function create_payment(string $body): Reply
{
    $headers = ['Content-Type: application/json', 'Idempotency-Key: ' . hash('sha256', $body)];
    $reply = post('/v2/payments', $body, sign($body), $headers);
    $order = json_decode($body, true);
    $answer = $reply->answer + ['referenceId' => $order['referenceId'], 'merchantId' => $order['merchantId']];
    $isOurs = $answer['referenceId'] === $order['referenceId'] && $answer['merchantId'] === $order['merchantId'];
    $hasLink = is_string($answer['paymentUrl'] ?? null) && $answer['paymentUrl'] !== '';
    return $reply->outcome !== 'approved' || $isOurs && $hasLink ? $reply : new Reply('look_up');
}

/**
 * Uploads a file. Send it once: a second upload can become a second invoice. `$fields` needs merchantId and referenceId.
 *
 * @param array<string, string> $fields
 */
function upload_invoice(array $fields, string $name, string $content, string $type = 'application/pdf'): Reply
{
    $canonical = implode('&', array_map(fn ($field) => "$field=" . ($fields[$field] ?? ''), SIGNED_FIELDS));
    $boundary = bin2hex(random_bytes(16));
    $head = "--$boundary\r\nContent-Disposition: form-data; name=";
    $body = '';
    foreach ($fields as $field => $value) {
        $body .= "$head\"$field\"\r\n\r\n$value\r\n";
    }
    $body .= "$head\"file\"; filename=\"$name\"\r\nContent-Type: $type\r\n\r\n$content\r\n--$boundary--\r\n";
    $headers = ["Content-Type: multipart/form-data; boundary=$boundary"];
    $reply = post('/v2/payments/upload-invoice', $body, sign($canonical), $headers);
    // "Other error": the file might be stored.
    return ($reply->answer['resultStatus'] ?? null) === 'ERROR_GENERAL' ? new Reply('look_up', $reply->answer) : $reply;
}

function post(string $path, string $body, string $signature, array $headers): Reply
{
    $wait = '';
    $now = new DateTimeImmutable('now', new DateTimeZone('+07:00'));
    $curl = curl_init(BASE_URL . $path);
    curl_setopt_array($curl, [
        CURLOPT_FOLLOWLOCATION => false, // the signature goes to no other address
        CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_1_1,
        CURLOPT_TIMEOUT => 15,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_POSTFIELDS => $body,
        CURLOPT_HTTPHEADER => [
            ...$headers,
            'Client-Id: ' . CLIENT_ID,
            'Request-Time: ' . $now->format('Y-m-d H:i:s'),
            "Signature: $signature",
            'Expect:', // or curl may send a large body a second time
        ],
        CURLOPT_HEADERFUNCTION => function ($curl, string $line) use (&$wait): int {
            $wait = preg_match('/^Retry-After: *(\d{1,3})\s*$/i', $line, $found) ? $found[1] : $wait;
            return strlen($line);
        },
    ]);
    $content = curl_exec($curl);
    if (curl_errno($curl) !== 0) {
        return new Reply(in_array(curl_errno($curl), NOT_SENT, true) ? 'not_sent' : 'unknown');
    }
    return judge(curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $content, (int) $wait);
}

/** Returns the meaning of a response. Its resultStatus decides, whatever the HTTP status is. */
function judge(int $status, string $content, int $wait): Reply
{
    $parsed = json_decode($content, true);
    $isJson = json_last_error() === JSON_ERROR_NONE;
    $answer = is_array($parsed) ? $parsed : [];
    $result = $answer['resultStatus'] ?? null;
    if ($result === 'APPROVED') {
        return new Reply('approved', $answer);
    }
    if (in_array($result, REFUSALS, true)) {
        return new Reply('refused', $answer);
    }
    if ($result === 'REQUEST_PROCESSING' || $result === 'DOWNSTREAM_ERROR') {
        return new Reply('unknown', $answer);
    }
    if ($status === 429 && !str_contains($content, 'resultStatus')) {
        return new Reply('not_sent', [], $wait);
    }
    $isBroken = in_array($status, [408, 409, 425], true) || $status >= 500 || $status < 300 && !$isJson;
    // All other responses: a duplicate, an undocumented status, a redirect, or the page of a gateway, which can be cut.
    return $result === null && $isBroken ? new Reply('unknown') : new Reply('look_up', $answer);
}
