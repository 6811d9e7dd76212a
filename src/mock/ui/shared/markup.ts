import { html as markup, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

/** A piece of a page. */
export type Markup = HtmlEscapedString;

/** What a piece may be made of: texts are escaped, pieces go in as they are, and what is not there leaves no trace. */
export type Content = string | number | boolean | null | undefined | Markup | readonly Content[];

/** A piece of a page from a template. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  const piece = markup(strings, ...contents);
  if (piece instanceof Promise) throw new TypeError('A piece of a page waits for nothing.');
  return piece;
}

/** A doctype, and the head that every page of the mock has. No page has a script or style of its own inside. */
export function document(
  page: { readonly title: string; readonly lang: string; readonly style: string; readonly script: string },
  body: Markup,
): Markup {
  return html`${raw('<!doctype html>')}
    <html lang="${page.lang}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.title}</title>
        <link rel="icon" href="/_mock/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/_mock/assets/${page.style}" />
        <script type="module" src="/_mock/assets/${page.script}"></script>
      </head>
      ${body}
    </html>`;
}
