<?php
// Mistake: the code repeats at once until the response is APPROVED, which might never come.
declare(strict_types=1);
require __DIR__ . '/../service.php';

for ($count = 0; $count < 3; $count++) {
    $order = newOrder(newReference());
    do {
        $result = initiate($order, $order['referenceId']);
    } while (($result['answer']['resultStatus'] ?? null) !== 'APPROVED');
    settle($order['referenceId'], 'paid');
}
