import type { PropsWithChildren } from 'hono/jsx';
import { Document } from '../shared/document.js';

const places = {
  Requests: '/_mock',
  Payments: '/_mock/ui/payments',
  Contracts: '/_mock/ui/contracts',
  Webhooks: '/_mock/ui/webhooks',
  Controls: '/_mock/ui/controls',
  Lender: '/_mock/ui/lender',
} as const;

interface InspectorPageProps {
  /** The entry of the navigation that the page belongs to. */
  readonly place: keyof typeof places;
  /** Without it, the place is the title. */
  readonly title?: string;
}

/** A page of the inspector. */
export function InspectorPage({ place, title = place, children }: PropsWithChildren<InspectorPageProps>) {
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
                  </a>
                </li>
              ))}
            </ul>
          </nav>
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

/** Shown in place of a list that has nothing in it; the children say what to do. */
export function EmptyState({ title, children }: PropsWithChildren<{ readonly title: string }>) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** The page of something that the mock does not have. */
export function MissingPage({ what }: { readonly what: string }) {
  return (
    <InspectorPage place="Requests" title="Not found">
      <h1>Not found</h1>
      <EmptyState title={what}>
        <p>It was dropped to make room for newer entries, or the mock was reset.</p>
        <p>
          <a href="/_mock">All requests</a>
        </p>
      </EmptyState>
    </InspectorPage>
  );
}
