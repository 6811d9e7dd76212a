import type { Settlement } from '../../state/payments.js';

/** Every way for a payment to end. */
export const settlements = ['paid', 'declined', 'expired'] as const satisfies readonly Settlement[];
