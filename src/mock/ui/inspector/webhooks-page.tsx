import type { WebhookDelivery } from '../../webhooks/webhook-types.js';
import { Badge, type Tone } from '../shared/badge.js';
import { Moment } from '../shared/moment.js';
import { EmptyState, InspectorPage } from './layout.js';
import { MessageText } from './message-text.js';
import { Facts, Panel, Table } from './panel.js';

/** Webhooks on the list at most; the newest come first. */
export const listedWebhooks = 200;

interface DeliveriesProps {
  readonly deliveries: readonly WebhookDelivery[];
}

/** What the mock sent to the merchant. */
export function WebhooksPage({ deliveries }: DeliveriesProps) {
  return (
    <InspectorPage place="Webhooks">
      <div class="heading">
        <h1 id="webhooks">Webhooks</h1>
      </div>
      <div id="region" data-live-region="">
        {deliveries.length === 0 ? (
          <EmptyState title="No webhooks yet">
            <p>
              With <code>webhook: {'{ url }'}</code>, the mock sends one when a payment is settled.
            </p>
          </EmptyState>
        ) : (
          <div class="panel list">
            <Deliveries deliveries={deliveries} labelledBy="webhooks" />
          </div>
        )}
      </div>
    </InspectorPage>
  );
}

const columns = ['Webhook', 'Payment', 'Status', 'Created', 'Tries', 'Last answer', 'Next try', 'Send again'];

/** A table of webhooks; each can be sent again. */
export function Deliveries({ deliveries, labelledBy }: DeliveriesProps & { readonly labelledBy: string }) {
  return (
    <Table labelledBy={labelledBy} columns={columns} class="webhooks">
      {deliveries.map((delivery) => (
        <tr>
          <th scope="row">
            <a class="mono" href={webhookPath(delivery)}>
              {delivery.id}
            </a>
          </th>
          <td class="mono">{delivery.referenceId}</td>
          <td>
            <DeliveryBadge delivery={delivery} /> {delivery.forged && <Badge tone="note">forged</Badge>}
          </td>
          <td>
            <Moment at={delivery.createdAt} />
          </td>
          <td>{delivery.tries.length}</td>
          <td>{answerOf(delivery.tries.at(-1))}</td>
          <td>{delivery.nextTryAt && <Moment at={delivery.nextTryAt} />}</td>
          <td>
            <ResendForm delivery={delivery} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function webhookPath({ id }: WebhookDelivery): string {
  return `/_mock/ui/webhooks/${id}`;
}

const tones: Readonly<Record<WebhookDelivery['status'], Tone>> = {
  pending: 'note',
  delivered: 'good',
  failed: 'bad',
};

function DeliveryBadge({ delivery: { status } }: DeliveryProps) {
  return <Badge tone={tones[status]}>{status}</Badge>;
}

function answerOf(last: WebhookDelivery['tries'][number] | undefined): string | undefined {
  return last?.httpStatus === undefined ? last?.error : `HTTP ${String(last.httpStatus)}`;
}

interface DeliveryProps {
  readonly delivery: WebhookDelivery;
}

function ResendForm({ delivery: { id } }: DeliveryProps) {
  return (
    <form method="post" action="/_mock/ui/resend">
      <input type="hidden" name="id" value={id} />
      <button class="button" aria-label={`Resend ${id}`}>
        Resend
      </button>
    </form>
  );
}

/** Everything that is known about one webhook. */
export function WebhookPage({ delivery }: DeliveryProps) {
  const { id, url, referenceId, createdAt, nextTryAt, headers, body, tries } = delivery;
  return (
    <InspectorPage place="Webhooks" title={`Webhook ${id}`}>
      <nav class="crumbs" aria-label="Webhooks">
        <a href="/_mock/ui/webhooks">All webhooks</a>
        <a href={`/_mock/ui/payments?search=${encodeURIComponent(referenceId)}`}>Payment of this webhook</a>
      </nav>
      <div id="region" data-live-region="">
        <div class="heading">
          <h1>Webhook {id}</h1>
          <DeliveryBadge delivery={delivery} />
          <div class="end">
            <ResendForm delivery={delivery} />
          </div>
        </div>
        <section class="panel summary" aria-label="Summary">
          <Facts
            of={[
              ['Payment', referenceId],
              ['Sent to', <code>{url}</code>],
              ['Created', <Moment at={createdAt} />],
              ['Next try', nextTryAt && <Moment at={nextTryAt} />],
            ]}
          />
        </section>
        <div class="beside">
          <Panel id="webhook-request" title="Request">
            <Facts of={Object.entries(headers).map(([name, value]) => [name, <code>{value}</code>])} />
            <h3>Body</h3>
            <MessageText text={body} />
          </Panel>
          <Panel id="tries" title="Tries">
            {tries.length === 0 ? (
              <p class="quiet">The first is under way.</p>
            ) : (
              <Table labelledBy="tries" columns={['Started', 'Answer', 'Took']}>
                {tries.map((each) => (
                  <tr>
                    <th scope="row">
                      <Moment at={each.startedAt} />
                    </th>
                    <td class="reference">{answerOf(each)}</td>
                    <td>{each.durationMs.toFixed(0)} ms</td>
                  </tr>
                ))}
              </Table>
            )}
          </Panel>
        </div>
      </div>
    </InspectorPage>
  );
}
