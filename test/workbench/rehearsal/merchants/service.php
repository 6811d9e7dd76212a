<?php
/** Code that the PHP backends share: signed requests, and the test's control of the mock. No extension is needed. */
declare(strict_types=1);

function newOrder(string $reference, array $changes = []): array
{
    return $changes + [
        'referenceId' => $reference,
        'merchantId' => getenv('INSTALLMENT_MERCHANT_ID'),
        'storeId' => getenv('INSTALLMENT_STORE_ID'),
        'platformId' => getenv('INSTALLMENT_PLATFORM_ID'),
    ] + json_decode(file_get_contents(__DIR__ . '/order.json'), true);
}

function newReference(): string
{
    return 'PHP-' . bin2hex(random_bytes(6));
}

/** @return array{status: int, answer: array<string, mixed>, retryAfter: int} status 0 if there is no response */
function initiate(array $order, string $key, float $timeout = 5): array
{
    $body = json_encode($order, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR);
    $now = new DateTimeImmutable('now', new DateTimeZone('Asia/Ho_Chi_Minh'));
    $response = @file_get_contents(getenv('INSTALLMENT_BASE_URL') . '/v2/payments', false, stream_context_create(['http' => [
        'method' => 'POST',
        'ignore_errors' => true,
        'follow_location' => 0,
        'timeout' => $timeout,
        'content' => $body,
        'header' => [
            'Content-Type: application/json',
            'Client-Id: ' . getenv('INSTALLMENT_CLIENT_ID'),
            'Request-Time: ' . $now->format('Y-m-d H:i:s'),
            'Signature: ' . hash_hmac('sha256', $body, getenv('INSTALLMENT_SECRET_KEY')),
            "Idempotency-Key: $key",
        ],
    ]]));
    $lines = implode("\n", $http_response_header ?? []);
    preg_match('/^HTTP\S+ (\d+)/', $lines, $status);
    preg_match('/^Retry-After: (\d+)/im', $lines, $retryAfter);
    return [
        'status' => $response === false ? 0 : (int) ($status[1] ?? 0),
        'answer' => json_decode($response ?: 'null', true) ?? [],
        'retryAfter' => (int) ($retryAfter[1] ?? 0),
    ];
}

/** The customer, simulated by a test. */
function settle(string $reference, string $status): void
{
    file_get_contents(getenv('INSTALLMENT_MOCK_URL') . '/_mock/settle', false, stream_context_create(['http' => [
        'method' => 'POST',
        'content' => json_encode(['referenceId' => $reference, 'status' => $status]),
    ]]));
}
