import { parseLink } from '../../../protocol/payment.js';
import type { MockPayment, Settlement } from '../../state/payments.js';

/** Where the shop wants its customer once a payment has ended so; undefined for a URL that no browser should follow. */
export function returnUrl({ request }: Pick<MockPayment, 'request'>, outcome: Settlement): URL | undefined {
  const text = outcome === 'paid' ? request.successRedirectUrl : request.unSuccessRedirectUrl;
  return parseLink(text);
}

/**
 * The sources to which the form of a payment may lead. Chromium holds every redirect after a form against form-action,
 * those of the shop's own servers included: so whole schemes are listed, and of apps only those that this payment names.
 */
export function returnSources(payment: Pick<MockPayment, 'request'>): string[] {
  const schemes = (['paid', 'declined'] as const).flatMap(
    (outcome) => returnUrl(payment, outcome)?.protocol ?? [],
  );
  return [...new Set(['http:', 'https:', ...schemes])];
}
