import type { Context } from 'hono';
import { createContext, useContext, type Child, type PropsWithChildren } from 'hono/jsx';
import { Document } from '../shared/document.js';
import { facts, link, type Fact } from '../shared/elements.js';

const places = {
  Requests: '/_mock',
  Payments: '/_mock/ui/payments',
  Contracts: '/_mock/ui/contracts',
  Webhooks: '/_mock/ui/webhooks',
  Controls: '/_mock/ui/controls',
  Lender: '/_mock/ui/lender',
  Findings: '/_mock/ui/findings',
} as const;

/** The state of the mock in the header of every page, by the `data-standing` of the elements that show it. */
export interface Standing {
  readonly world: string;
  /** Their number; empty if there are none. */
  readonly findings: string;
}

/** A context, because pages of every kind have the header. */
export const StandingContext = createContext<Standing>({ world: '', findings: '' });

interface InspectorPageProps {
  /** The entry of the navigation that the page belongs to. */
  readonly place: keyof typeof places;
  /** Without it, the place is the title. */
  readonly title?: string;
}

/** A page of the inspector. */
export function InspectorPage({ place, title = place, children }: PropsWithChildren<InspectorPageProps>) {
  const { world, findings } = useContext(StandingContext);
  const count = (
    <span class="count" data-standing="findings">
      {findings}
    </span>
  );
  const entries = Object.entries(places).map(([name, href]) => {
    const current = { 'aria-current': name === place ? 'page' : undefined };
    return <li>{link(href, name === 'Findings' ? [name, count] : name, current)}</li>;
  });
  return (
    <Document title={`${title} · Mock inspector`} lang="en" assets="inspector" skip="Skip to the content">
      <header class="top">
        <div class="inner">
          <p class="brand">Mock inspector</p>
          <nav aria-label="Inspector">
            <ul>{entries}</ul>
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

/** A list that is loaded again when something changes, below the filters. */
export const listPage = (place: InspectorPageProps['place'], list: Child, filters?: Child) => (
  <InspectorPage place={place}>
    <div class="heading">
      <h1 id={place.toLowerCase()}>{place}</h1>
    </div>
    {filters}
    <div id="region" data-live-region="">
      {list}
    </div>
  </InspectorPage>
);

interface DetailPage extends InspectorPageProps {
  readonly title: string;
  /** The links above the heading. */
  readonly crumbs: readonly Child[];
  /** The heading, if it differs from the title, and the content beside it. */
  readonly heading?: Child;
  readonly beside: Child;
  readonly summary?: readonly Fact[];
  /** Buttons and links beside the summary. */
  readonly actions?: Child;
  /** False for a record that does not change. */
  readonly isLive?: boolean;
  readonly content: Child;
}

/** The page of one record. */
export function detailPage({ place, title, crumbs, heading = title, ...page }: DetailPage) {
  const { beside, summary, actions, isLive = true, content } = page;
  return (
    <InspectorPage place={place} title={title}>
      <nav class="crumbs" aria-label={place}>
        {crumbs}
      </nav>
      <div id="region" data-live-region={isLive ? '' : undefined}>
        <div class="heading">
          <h1>{heading}</h1>
          {beside}
        </div>
        {summary && (
          <section class="panel summary" aria-label="Summary">
            {facts(summary)}
            {actions && <div class="actions">{actions}</div>}
          </section>
        )}
        {content}
      </div>
    </InspectorPage>
  );
}

/** Panels beside each other, where there is room. */
export const besideEachOther = (...panels: Child[]) => <div class="beside">{panels}</div>;

/** Shown in place of an empty list: what to do. */
export const emptyState = (title: string, ...paragraphs: Child[]) => (
  <div class="empty">
    <h2>{title}</h2>
    {paragraphs.map((paragraph) => (
      <p>{paragraph}</p>
    ))}
  </div>
);

/** The answer to a request for something that the mock does not have. */
export function missing(context: Context, title: string) {
  context.status(404);
  const reason = 'It was dropped to make room for newer entries, or the mock was reset.';
  return context.render(
    <InspectorPage place="Requests" title="Not found">
      <h1>Not found</h1>
      {emptyState(title, reason, link('/_mock', 'All requests'))}
    </InspectorPage>,
  );
}
