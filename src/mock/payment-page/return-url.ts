import { parseLink } from '../../protocol/urls.js';
import type { MockPayment, Settlement } from '../state/payment-record.js';

type PaymentWithUrls = Pick<MockPayment, 'request'>;

/** The redirect URL of the shop for this result of the payment. Undefined if a browser should not follow it. */
export function returnUrl({ request }: PaymentWithUrls, outcome: Settlement): URL | undefined {
  return parseLink(outcome === 'paid' ? request.successRedirectUrl : request.unSuccessRedirectUrl);
}

/**
 * The `form-action` sources of a payment page. Chromium checks every redirect after the form is sent, including the
 * redirects of the shop's own servers. So all of http and https is allowed, and the app schemes of the payment's
 * redirect URLs.
 */
export function returnSources(payment: PaymentWithUrls): string[] {
  const urls = [returnUrl(payment, 'paid'), returnUrl(payment, 'declined')];
  return [...new Set(['http:', 'https:', ...urls.flatMap((url) => url?.protocol ?? [])])];
}
