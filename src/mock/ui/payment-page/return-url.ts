import { parseLink } from '../../../protocol/urls.js';
import type { MockPayment, Settlement } from '../../state/payments.js';

/** The URL that the shop gave for the end of a payment; undefined for one that a browser should not follow. */
export function returnUrl({ request }: Pick<MockPayment, 'request'>, outcome: Settlement): URL | undefined {
  const text = outcome === 'paid' ? request.successRedirectUrl : request.unSuccessRedirectUrl;
  return parseLink(text);
}

/**
 * The `form-action` sources of a payment's page. Chromium checks every redirect after the form is sent, also the
 * redirects of the shop's own servers. So all of http and https is allowed, and the schemes of the apps that the payment names.
 */
export function returnSources(payment: Pick<MockPayment, 'request'>): string[] {
  const schemes = (['paid', 'declined'] as const).flatMap(
    (outcome) => returnUrl(payment, outcome)?.protocol ?? [],
  );
  return [...new Set(['http:', 'https:', ...schemes])];
}
