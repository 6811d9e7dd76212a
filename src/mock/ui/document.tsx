import { raw } from 'hono/html';
import type { PropsWithChildren } from 'hono/jsx';

interface DocumentProps {
  readonly title: string;
  readonly lang: string;
  /** The name of the style and script to load. */
  readonly assets: 'inspector' | 'payment';
  /** The text of the link that skips the header. */
  readonly skip: string;
}

/** A whole page. All of its styles and scripts are files, as its content security policy requires. */
export const Document = ({ title, lang, assets, skip, children }: PropsWithChildren<DocumentProps>) => (
  <>
    {raw('<!doctype html>')}
    <html lang={lang}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="icon" href="/_mock/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href={`/_mock/assets/${assets}.css`} />
        <script type="module" src={`/_mock/assets/${assets}.js`}></script>
      </head>
      <body>
        <a class="skip" href="#main">
          {skip}
        </a>
        {children}
      </body>
    </html>
  </>
);
