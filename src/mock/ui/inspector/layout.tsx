import type { Child } from 'hono/jsx';
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

/** A page of the inspector. */
export interface Page {
  /** The entry of the navigation that the page belongs to. */
  readonly place: keyof typeof places;
  /** Without it, the place is the title. */
  readonly title?: string;
  readonly status?: 200 | 400 | 404;
  readonly main: Child;
}

/** The whole document of a page. */
export function documentOf({ place, title = place, main }: Page, { world, findings }: Standing) {
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
        {main}
      </main>
      <p class="unseen" role="status" data-announce=""></p>
    </Document>
  );
}

/** A list that is loaded again when something changes, below the filters. */
export function listPage(place: Page['place'], list: Child, filters?: Child): Page {
  const heading = <h1 id={place.toLowerCase()}>{place}</h1>;
  return { place, main: [<div class="heading">{heading}</div>, filters, region(list)] };
}

/** The part of a page that is loaded again when something changes. */
export const region = (content: Child, isLive = true) => (
  <div id="region" data-live-region={isLive ? '' : undefined}>
    {content}
  </div>
);

interface DetailPage extends Pick<Page, 'place'> {
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
export function detailPage({ place, title, crumbs, heading = title, ...page }: DetailPage): Page {
  const { beside, summary, actions, isLive, content } = page;
  const navigation = (
    <nav class="crumbs" aria-label={place}>
      {crumbs}
    </nav>
  );
  const summarised = summary && (
    <section class="panel summary" aria-label="Summary">
      {facts(summary)}
      {actions && <div class="actions">{actions}</div>}
    </section>
  );
  const top = <div class="heading">{[<h1>{heading}</h1>, beside]}</div>;
  return { place, title, main: [navigation, region([top, summarised, content], isLive)] };
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

/** The page for something that the mock does not have. */
export function missing(title: string): Page {
  const reason = 'It was dropped to make room for newer entries, or the mock was reset.';
  const main = [<h1>Not found</h1>, emptyState(title, reason, link('/_mock', 'All requests'))];
  return { place: 'Requests', title: 'Not found', status: 404, main };
}
