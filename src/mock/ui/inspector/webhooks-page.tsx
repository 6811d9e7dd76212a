import type { MockControls } from '../../controls/mock-controls.js';
import type { WebhookDelivery, WebhookTry } from '../../webhooks/webhook-types.js';
import { Badge, type Tone } from '../shared/badge.js';
import { Moment } from '../shared/moment.js';
import { DetailPage, EmptyState, ListPage } from './layout.js';
import { MessageText } from './message-text.js';
import { ActionForm, Headers, NameLink, Panel, Table, TableList, type Column } from './panel.js';

/** Webhooks on the list at most; the newest come first. */
const listedWebhooks = 200;

/** The webhooks that the mock sent. */
export function WebhooksPage({ mock }: { readonly mock: MockControls }) {
  const deliveries = mock.webhooks.all().reverse().slice(0, listedWebhooks);
  return (
    <ListPage place="Webhooks">
      <TableList id="webhooks" columns={webhookColumns} rows={deliveries}>
        <EmptyState title="No webhooks yet">
          <p>
            With <code>webhook: {'{ url }'}</code>, the mock sends one when a payment is settled.
          </p>
        </EmptyState>
      </TableList>
    </ListPage>
  );
}

/** The columns of a table of webhooks; each can be sent again. */
export const webhookColumns: readonly Column<WebhookDelivery>[] = [
  ['Webhook', ({ id }) => <NameLink to={`/_mock/ui/webhooks/${id}`} name={id} />],
  ['Payment', ({ referenceId }) => referenceId, 'mono'],
  ['Status', (delivery) => <DeliveryBadges delivery={delivery} />],
  ['Created', ({ createdAt }) => <Moment at={createdAt} />],
  ['Tries', ({ tries }) => tries.length],
  ['Last answer', ({ tries }) => answerOf(tries.at(-1))],
  ['Next try', ({ nextTryAt }) => nextTryAt && <Moment at={nextTryAt} />],
  ['Send again', (delivery) => <ResendForm delivery={delivery} />],
];

const tones: Readonly<Record<WebhookDelivery['status'], Tone>> = {
  pending: 'note',
  delivered: 'good',
  failed: 'bad',
};

function DeliveryBadges({ delivery: { status, forged } }: DeliveryProps) {
  return (
    <>
      <Badge tone={tones[status]}>{status}</Badge> {forged && <Badge tone="note">forged</Badge>}
    </>
  );
}

function answerOf(last: WebhookTry | undefined): string | undefined {
  return last?.httpStatus === undefined ? last?.error : `HTTP ${String(last.httpStatus)}`;
}

interface DeliveryProps {
  readonly delivery: WebhookDelivery;
}

function ResendForm({ delivery: { id } }: DeliveryProps) {
  return <ActionForm to="resend" fields={{ id }} label={`Resend ${id}`} button="Resend" />;
}

const tryColumns: readonly Column<WebhookTry>[] = [
  ['Started', ({ startedAt }) => <Moment at={startedAt} />],
  ['Answer', answerOf, 'reference'],
  ['Took', ({ durationMs }) => `${durationMs.toFixed(0)} ms`],
];

/** Everything that is known about one webhook. */
export function WebhookPage({ delivery }: DeliveryProps) {
  const { id, url, referenceId, createdAt, nextTryAt, headers, body, tries } = delivery;
  return (
    <DetailPage
      place="Webhooks"
      title={`Webhook ${id}`}
      crumbs={[
        ['/_mock/ui/webhooks', 'All webhooks'],
        [`/_mock/ui/payments?search=${encodeURIComponent(referenceId)}`, 'Payment of this webhook'],
      ]}
      beside={
        <>
          <DeliveryBadges delivery={delivery} />
          <div class="end">
            <ResendForm delivery={delivery} />
          </div>
        </>
      }
      facts={[
        ['Payment', referenceId],
        ['Sent to', <code>{url}</code>],
        ['Created', <Moment at={createdAt} />],
        ['Next try', nextTryAt && <Moment at={nextTryAt} />],
      ]}
    >
      <div class="beside">
        <Panel id="webhook-request" title="Request">
          <Headers of={headers} />
          <h3>Body</h3>
          <MessageText text={body} />
        </Panel>
        <Panel id="tries" title="Tries">
          {tries.length === 0 ? (
            <p class="quiet">The first is under way.</p>
          ) : (
            <Table labelledBy="tries" columns={tryColumns} rows={tries} />
          )}
        </Panel>
      </div>
    </DetailPage>
  );
}
