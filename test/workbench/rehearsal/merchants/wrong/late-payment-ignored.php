<?php
// Mistake: only an open order becomes paid, so a payment after "declined" or "expired" is lost.
declare(strict_types=1);
require __DIR__ . '/../service.php';

/** Reads and writes the orders, one request at a time. */
function orders(callable $change): mixed
{
    $file = fopen(sys_get_temp_dir() . '/orders-' . getenv('WEBHOOK_PORT') . '.json', 'c+');
    flock($file, LOCK_EX);
    $orders = json_decode(stream_get_contents($file) ?: '{}', true);
    $result = $change($orders);
    ftruncate($file, 0);
    rewind($file);
    fwrite($file, json_encode($orders, JSON_FORCE_OBJECT));
    fclose($file);
    return $result;
}

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path === '/checkout') {
    $reference = $_GET['order'];
    orders(function (array &$orders) use ($reference) {
        $orders[$reference] ??= 'open';
    });
    foreach ([0.2, 0.5, 1, 0] as $pause) {
        $result = initiate(newOrder($reference), $reference);
        if (($result['answer']['resultStatus'] ?? null) === 'APPROVED') {
            echo $result['answer']['paymentUrl'];
            return;
        }
        usleep((int) (max($pause, $result['retryAfter']) * 1_000_000));
    }
} elseif ($path === '/webhook') {
    $body = file_get_contents('php://input');
    $signature = hash_hmac('sha256', $body, getenv('INSTALLMENT_SECRET_KEY'));
    if (!hash_equals($signature, $_SERVER['HTTP_SIGNATURE'] ?? '')) {
        http_response_code(401);
        return;
    }
    $event = json_decode($body, true);
    $isKnown = orders(function (array &$orders) use ($event) {
        $state = $orders[$event['referenceId']] ?? null;
        if ($state === 'open') {
            $orders[$event['referenceId']] = $event['status'];
        }
        return $state !== null;
    });
    http_response_code($isKnown ? 204 : 500);
} else {
    echo orders(fn (array &$orders) => $orders[basename($path)] ?? 'unknown');
}
