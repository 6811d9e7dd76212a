import type { MockControls } from '../../controls/mock-controls.js';
import type { WebhookDelivery, WebhookTry } from '../../webhooks/webhook-types.js';
import { badge, link, moment } from '../shared/elements.js';
import { bodyText } from './exact-text.js';
import { besideEachOther, detailPage, emptyState, listPage } from './layout.js';
import {
  actionForm,
  headerFacts,
  nameLink,
  panel,
  rowButton,
  table,
  tableList,
  type Columns,
} from './panel.js';

/** Webhooks on the list at most; the newest come first. */
const listedWebhooks = 200;
const setting = <code>webhook: {'{ url }'}</code>;
const whenSent = ['With ', setting, ', the mock sends one when a payment is settled.'];
const noWebhooks = emptyState('No webhooks yet', whenSent);

/** The webhooks that the mock sent. */
export function webhooksPage(mock: MockControls) {
  const deliveries = mock.webhooks.all().reverse().slice(0, listedWebhooks);
  return listPage('Webhooks', tableList('webhooks', webhookColumns, deliveries, noWebhooks));
}

const tones = { pending: 'note', delivered: 'good', failed: 'bad' } as const;

const deliveryBadges = ({ status, forged }: WebhookDelivery) =>
  forged ? [badge(tones[status], status), ' ', badge('note', 'forged')] : badge(tones[status], status);

const answerOf = (last: WebhookTry | undefined) =>
  last?.httpStatus === undefined ? last?.error : `HTTP ${last.httpStatus}`;

const resendForm = ({ id }: WebhookDelivery) =>
  actionForm('resend', { id }, rowButton('Resend', `Resend ${id}`));

/** The columns of a table of webhooks; each can be sent again. */
export const webhookColumns: Columns<WebhookDelivery> = [
  ['Webhook', ({ id }) => nameLink(`/_mock/ui/webhooks/${id}`, id)],
  ['Payment', ({ referenceId }) => referenceId, 'mono'],
  ['Status', deliveryBadges],
  ['Created', ({ createdAt }) => moment(createdAt)],
  ['Tries', ({ tries }) => tries.length],
  ['Last answer', ({ tries }) => answerOf(tries.at(-1))],
  ['Next try', ({ nextTryAt }) => moment(nextTryAt)],
  ['Send again', resendForm],
];

const tryColumns: Columns<WebhookTry> = [
  ['Started', ({ startedAt }) => moment(startedAt)],
  ['Answer', answerOf, 'reference'],
  ['Took', ({ durationMs }) => `${durationMs.toFixed(0)} ms`],
];

/** Everything that is known about one webhook. */
export function webhookPage(delivery: WebhookDelivery) {
  const { id, url, referenceId, createdAt, nextTryAt, headers, body, tries } = delivery;
  const payment = `/_mock/ui/payments?search=${encodeURIComponent(referenceId)}`;
  const request = [headerFacts(headers), bodyText(body)];
  const underWay = <p class="quiet">The first is under way.</p>;
  return detailPage({
    place: 'Webhooks',
    title: `Webhook ${id}`,
    crumbs: [link('/_mock/ui/webhooks', 'All webhooks'), link(payment, 'Payment of this webhook')],
    beside: [deliveryBadges(delivery), <div class="end">{resendForm(delivery)}</div>],
    summary: [
      ['Payment', referenceId],
      ['Sent to', <code>{url}</code>],
      ['Created', moment(createdAt)],
      ['Next try', moment(nextTryAt)],
    ],
    content: besideEachOther(
      panel('webhook-request', 'Request', request),
      panel('tries', 'Tries', tries.length > 0 ? table('tries', tryColumns, tries) : underWay),
    ),
  });
}
