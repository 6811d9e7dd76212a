<?php
// Mistake: every HTTP error counts as a network fault, even a refusal, and each retry has a new key.
declare(strict_types=1);
require __DIR__ . '/../service.php';

// The second order is refused because of its phone number.
foreach ([newReference(), 'trigger:PHONE_NUMBER_UNAVAILABLE:' . newReference()] as $reference) {
    for ($attempt = 1; $attempt <= 3; $attempt++) {
        if (initiate(newOrder($reference), "$reference-$attempt")['status'] < 400) {
            break;
        }
    }
}
