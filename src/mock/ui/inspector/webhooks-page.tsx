import type { MockControls } from '../../controls/mock-controls.js';
import type { WebhookDelivery, WebhookTry } from '../../webhooks/webhook-types.js';
import { badge, link, moment, type Tone } from '../shared/elements.js';
import { bodyText } from './exact-text.js';
import { DetailPage, emptyState, listPage } from './layout.js';
import {
  actionForm,
  headerFacts,
  nameLink,
  Panel,
  rowButton,
  table,
  tableList,
  type Column,
} from './panel.js';

/** Webhooks on the list at most; the newest come first. */
const listedWebhooks = 200;
const setting = <code>webhook: {'{ url }'}</code>;
const noWebhooks = emptyState('No webhooks yet', [
  'With ',
  setting,
  ', the mock sends one when a payment is settled.',
]);

/** The webhooks that the mock sent. */
export function webhooksPage(mock: MockControls) {
  const deliveries = mock.webhooks.all().reverse().slice(0, listedWebhooks);
  return listPage('Webhooks', tableList('webhooks', webhookColumns, deliveries, noWebhooks));
}

const tones: Readonly<Record<WebhookDelivery['status'], Tone>> = {
  pending: 'note',
  delivered: 'good',
  failed: 'bad',
};

const deliveryBadges = ({ status, forged }: WebhookDelivery) => [
  badge(tones[status], status),
  ' ',
  forged && badge('note', 'forged'),
];

const answerOf = (last: WebhookTry | undefined) =>
  last?.httpStatus === undefined ? last?.error : `HTTP ${last.httpStatus}`;

const resendForm = ({ id }: WebhookDelivery) =>
  actionForm('resend', { id }, rowButton('Resend', `Resend ${id}`));

/** The columns of a table of webhooks; each can be sent again. */
export const webhookColumns: readonly Column<WebhookDelivery>[] = [
  ['Webhook', ({ id }) => nameLink(`/_mock/ui/webhooks/${id}`, id)],
  ['Payment', ({ referenceId }) => referenceId, 'mono'],
  ['Status', deliveryBadges],
  ['Created', ({ createdAt }) => moment(createdAt)],
  ['Tries', ({ tries }) => tries.length],
  ['Last answer', ({ tries }) => answerOf(tries.at(-1))],
  ['Next try', ({ nextTryAt }) => moment(nextTryAt)],
  ['Send again', resendForm],
];

const tryColumns: readonly Column<WebhookTry>[] = [
  ['Started', ({ startedAt }) => moment(startedAt)],
  ['Answer', answerOf, 'reference'],
  ['Took', ({ durationMs }) => `${durationMs.toFixed(0)} ms`],
];

/** Everything that is known about one webhook. */
export function webhookPage(delivery: WebhookDelivery) {
  const { id, url, referenceId, createdAt, nextTryAt, headers, body, tries } = delivery;
  const payment = `/_mock/ui/payments?search=${encodeURIComponent(referenceId)}`;
  return (
    <DetailPage
      place="Webhooks"
      title={`Webhook ${id}`}
      crumbs={[link('/_mock/ui/webhooks', 'All webhooks'), link(payment, 'Payment of this webhook')]}
      beside={[deliveryBadges(delivery), <div class="end">{resendForm(delivery)}</div>]}
      summary={[
        ['Payment', referenceId],
        ['Sent to', <code>{url}</code>],
        ['Created', moment(createdAt)],
        ['Next try', moment(nextTryAt)],
      ]}
    >
      <div class="beside">
        <Panel id="webhook-request" title="Request">
          {headerFacts(headers)}
          {bodyText(body)}
        </Panel>
        <Panel id="tries" title="Tries">
          {tries.length > 0 ? (
            table('tries', tryColumns, tries)
          ) : (
            <p class="quiet">The first is under way.</p>
          )}
        </Panel>
      </div>
    </DetailPage>
  );
}
