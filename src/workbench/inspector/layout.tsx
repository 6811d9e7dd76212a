import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { Document } from '../../mock/ui/document.js';
import { facts, link, type Fact } from '../../mock/ui/elements.js';
import { emptyState } from './components.js';

const places = {
  Requests: '/_mock',
  Payments: '/_mock/ui/payments',
  Findings: '/_mock/ui/findings',
  Lender: '/_mock/ui/lender',
  Controls: '/_mock/ui/controls',
} as const;

/** A page of the inspector. */
export interface Page {
  /** The entry of the navigation to which the page belongs. */
  readonly place: keyof typeof places;
  /** The title of the page. The default is its entry in the navigation. */
  readonly title?: string;
  readonly status?: 200 | 400 | 404;
  readonly main: Child;
}

/** Responds with a page. */
export type Show = (context: Context, page: Page) => Response | Promise<Response>;

/** The document of a page. The script keeps the elements with `data-live` up to date. */
export function documentOf({ place, title = place, main }: Page, scenario: string) {
  const entries = Object.entries(places).map(([name, href]) => {
    const current = { 'aria-current': name === place ? 'page' : undefined };
    return <li>{link(href, name, current)}</li>;
  });
  return (
    <Document title={`${title} · Mock inspector`} lang="en" assets="inspector" skip="Skip to the content">
      <header class="top">
        <div class="inner">
          <p class="brand">Mock inspector</p>
          <nav id="places" aria-label="Inspector" data-live="">
            <ul>{entries}</ul>
          </nav>
          <p class="scenario" id="scenario" data-live="">
            Scenario: <b>{scenario}</b>
          </p>
          <p class="connection" data-connection="" hidden></p>
        </div>
      </header>
      <main id="main" tabindex={-1} data-live="">
        {main}
      </main>
    </Document>
  );
}

interface RecordPage extends Required<Omit<Page, 'status' | 'main'>> {
  /** The links above the heading. */
  readonly crumbs: Child;
  /** Badges and an amount beside the heading. */
  readonly beside: Child;
  readonly summary: readonly Fact[];
  readonly content: Child;
}

/** The page of one record. */
export function recordPage({ place, title, crumbs, beside, summary, content }: RecordPage): Page {
  const main = [
    <nav class="crumbs" aria-label={place}>
      {crumbs}
    </nav>,
    <div class="heading">{[<h1>{title}</h1>, beside]}</div>,
    <section class="panel summary" aria-label="Summary">
      {facts(summary)}
    </section>,
    content,
  ];
  return { place, title, main };
}

/** A page that says why there is nothing to show, or why a form was refused. */
export const failurePage = (status: 400 | 404, title: string, reason: string): Page => ({
  place: 'Requests',
  title,
  status,
  main: [<h1>{title}</h1>, emptyState(reason, link('/_mock', 'All requests'))],
});
