<?php
// Right: the same order and key are sent until there is a response, with pauses, four times. Then staff handle the
// order.
declare(strict_types=1);
require __DIR__ . '/../service.php';

function pay(array $order): bool
{
    foreach ([0.2, 0.5, 1, 0] as $pause) {
        $result = initiate($order, $order['referenceId']);
        if (($result['answer']['resultStatus'] ?? null) === 'APPROVED') {
            return true;
        }
        usleep((int) (max($pause, $result['retryAfter']) * 1_000_000));
    }
    echo "{$order['referenceId']} is not known: ask the service\n";
    return false;
}

for ($count = 0; $count < 3; $count++) {
    $order = newOrder(newReference());
    if (pay($order)) {
        settle($order['referenceId'], 'paid');
    }
}
