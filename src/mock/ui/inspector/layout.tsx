import type { Context } from 'hono';
import { useContext, type Child, type PropsWithChildren } from 'hono/jsx';
import { Facts, type Fact } from './panel.js';
import { Document } from '../shared/document.js';
import { StandingContext } from './standing.js';

const places = {
  Requests: '/_mock',
  Payments: '/_mock/ui/payments',
  Contracts: '/_mock/ui/contracts',
  Webhooks: '/_mock/ui/webhooks',
  Controls: '/_mock/ui/controls',
  Lender: '/_mock/ui/lender',
  Findings: '/_mock/ui/findings',
} as const;

interface InspectorPageProps {
  /** The entry of the navigation that the page belongs to. */
  readonly place: keyof typeof places;
  /** Without it, the place is the title. */
  readonly title?: string;
}

/** A page of the inspector. */
export function InspectorPage({ place, title = place, children }: PropsWithChildren<InspectorPageProps>) {
  const { world, findings } = useContext(StandingContext);
  return (
    <Document title={`${title} · Mock inspector`} lang="en" assets="inspector">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <div class="inner">
          <p class="brand">Mock inspector</p>
          <nav aria-label="Inspector">
            <ul>
              {Object.entries(places).map(([name, href]) => (
                <li>
                  <a href={href} aria-current={name === place ? 'page' : undefined}>
                    {name}
                    {name === 'Findings' && (
                      <span class="count" data-standing="findings">
                        {findings}
                      </span>
                    )}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <p class="world">
            World: <b data-standing="world">{world}</b>
          </p>
          <p class="link-state" data-link="" hidden></p>
        </div>
      </header>
      <main id="main" tabindex={-1}>
        {children}
      </main>
      <p class="unseen" role="status" data-announce=""></p>
    </Document>
  );
}

interface ListPageProps extends InspectorPageProps {
  /** Above the list. */
  readonly filters?: Child;
}

/** A list that is loaded again when something changes. */
export function ListPage({ place, filters, children }: PropsWithChildren<ListPageProps>) {
  return (
    <InspectorPage place={place}>
      <div class="heading">
        <h1 id={place.toLowerCase()}>{place}</h1>
      </div>
      {filters}
      <div id="region" data-live-region="">
        {children}
      </div>
    </InspectorPage>
  );
}

/** A link above the heading of a page. */
export type Crumb = readonly [href: string, label: string, rel?: string];

interface DetailPageProps extends InspectorPageProps {
  readonly title: string;
  readonly crumbs: readonly Crumb[];
  /** The heading, if it differs from the title, and the content beside it. */
  readonly heading?: Child;
  readonly beside: Child;
  readonly facts?: readonly Fact[];
  /** Buttons and links beside the facts. */
  readonly actions?: Child;
  /** False for a record that does not change. */
  readonly isLive?: boolean;
}

/** The page of one record: its facts, then the children. */
export function DetailPage(props: PropsWithChildren<DetailPageProps>) {
  const { place, title, crumbs, heading, beside, facts, actions, isLive = true, children } = props;
  return (
    <InspectorPage place={place} title={title}>
      <nav class="crumbs" aria-label={place}>
        {crumbs.map(([href, label, rel]) => (
          <a href={href} rel={rel}>
            {label}
          </a>
        ))}
      </nav>
      <div id="region" data-live-region={isLive ? '' : undefined}>
        <div class="heading">
          <h1>{heading ?? title}</h1>
          {beside}
        </div>
        {facts && (
          <section class="panel summary" aria-label="Summary">
            <Facts of={facts} />
            {actions}
          </section>
        )}
        {children}
      </div>
    </InspectorPage>
  );
}

/** Shown in place of an empty list; the children tell what to do. */
export function EmptyState({ title, children }: PropsWithChildren<{ readonly title: string }>) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** The answer to a request for something that the mock does not have. */
export function missing(context: Context, title: string) {
  context.status(404);
  return context.render(
    <InspectorPage place="Requests" title="Not found">
      <h1>Not found</h1>
      <EmptyState title={title}>
        <p>It was dropped to make room for newer entries, or the mock was reset.</p>
        <p>
          <a href="/_mock">All requests</a>
        </p>
      </EmptyState>
    </InspectorPage>,
  );
}
