import { document, html, type Markup } from '../shared/markup.js';

const places = [
  { name: 'Requests', href: '/_mock' },
  { name: 'Payments', href: '/_mock/ui/payments' },
  { name: 'Contracts', href: '/_mock/ui/contracts' },
  { name: 'Controls', href: '/_mock/ui/controls' },
  { name: 'Lender', href: '/_mock/ui/lender' },
] as const;

/** Where in the inspector a page belongs. */
export type Place = (typeof places)[number]['name'];

/** A page of the inspector. */
export function inspectorPage(place: Place, title: string, main: Markup): Markup {
  return document(
    { title: `${title} · Mock inspector`, lang: 'en', style: 'inspector.css', script: 'inspector.js' },
    html`<body>
      <a class="skip" href="#main">Skip to the content</a>
      <header class="top">
        <div class="inner">
          <p class="brand">Mock inspector</p>
          <nav aria-label="Inspector">
            <ul>
              ${places.map(({ name, href }) => placeLink(name, href, name === place))}
            </ul>
          </nav>
          <p class="link-state" data-link hidden></p>
        </div>
      </header>
      <main id="main" tabindex="-1">${main}</main>
      <p class="unseen" role="status" data-announce></p>
    </body>`,
  );
}

function placeLink(name: string, href: string, current: boolean): Markup {
  return current
    ? html`<li><a href="${href}" aria-current="page">${name}</a></li>`
    : html`<li><a href="${href}">${name}</a></li>`;
}

/** What stands where there is nothing yet, with what to do about it. */
export function emptyState(headline: string, advice: Markup): Markup {
  return html`<div class="empty">
    <h2>${headline}</h2>
    ${advice}
  </div>`;
}

/** The page for an address that leads nowhere. */
export function missingPage(what: string): Markup {
  const advice = html`<p>It may have been dropped for newer ones, or the mock was reset.</p>
    <p><a href="/_mock">All requests</a></p>`;
  return inspectorPage(
    'Requests',
    'Not here',
    html`<h1>Not here</h1>
      ${emptyState(what, advice)}`,
  );
}
