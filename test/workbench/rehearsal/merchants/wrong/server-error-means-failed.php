<?php
// Mistake: a 5xx counts as "nothing happened", so the order is sent with a different reference.
declare(strict_types=1);
require __DIR__ . '/../service.php';

for ($count = 0; $count < 3; $count++) {
    for ($attempt = 1; $attempt <= 3; $attempt++) {
        $reference = newReference();
        $result = initiate(newOrder($reference), $reference);
        if ($result['status'] >= 500) {
            continue;
        }
        if (($result['answer']['resultStatus'] ?? null) === 'APPROVED') {
            settle($reference, 'paid');
        }
        // There is no response, or a refusal: staff check the order.
        break;
    }
}
