import type { JournalEntry, JournalFile } from '../../state/journal-types.js';
import { moment } from '../shared/clock.js';
import { html, type Content, type Markup } from '../shared/markup.js';
import { faultText, requestBadges } from './badges.js';
import { curlCommand, isSigned } from './curl.js';
import { diagnosisView } from './diagnosis-view.js';
import { referencesOf } from './filters.js';
import { inspectorPage } from './layout.js';

/** Where the page of a request leads besides the list. */
export interface RequestContext {
  readonly origin: string;
  /** IDs of the requests beside it, as far as they are kept. */
  readonly newer?: number | undefined;
  readonly older?: number | undefined;
}

/** Everything that is known of one request. */
export function requestDetailPage(entry: JournalEntry, context: RequestContext): Markup {
  const title = entry.operation ?? `${entry.method} ${entry.path}`;
  const reference = referencesOf(entry)[0];
  return inspectorPage(
    'Requests',
    [title, reference].filter(Boolean).join(' '),
    html`<nav class="crumbs" aria-label="Requests beside this one">
        <a href="/_mock">All requests</a>
        <span
          >${context.newer !== undefined && html`<a href="/_mock/ui/requests/${context.newer}" rel="prev">Newer</a>`}</span
        >
        <span
          >${context.older !== undefined && html`<a href="/_mock/ui/requests/${context.older}" rel="next">Older</a>`}</span
        >
      </nav>
      <div ${entry.completed ? '' : 'data-live-region'} id="region">
        <div class="heading">
          <h1>${title}</h1>
          ${reference !== undefined && html`<p class="reference mono">${reference}</p>`}
        </div>
        <p class="badges">${requestBadges(entry)}</p>
        ${summary(entry)} ${entry.diagnosis && diagnosisView(entry.diagnosis)} ${headers(entry)}
        ${content(entry)} ${curl(entry, context.origin)}
      </div>`,
  );
}

/** A list of facts; those without a value are left out. */
export function facts(rows: readonly (readonly [name: string, value: Content])[]): Markup {
  return html`<dl class="facts">
    ${rows
      .filter(([, value]) => value !== undefined)
      .map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
  </dl>`;
}

function summary(entry: JournalEntry): Markup {
  const { at, method, path, httpStatus, resultMsg, durationMs, fault, faultPhase, error } = entry;
  return html`<section class="panel" aria-label="Summary">
    ${facts([
      ['Arrived', html`${moment(at)} (+07:00)`],
      ['Request', html`<code>${method} ${path}</code>`],
      ['Answer', resultMsg],
      ['HTTP status', httpStatus],
      [
        'Fault',
        fault &&
          `${faultText(fault)}, ${faultPhase === 'after' ? 'after the service acted' : 'before the service acted'}`,
      ],
      ['Broken off', error],
      ['Took', durationMs === undefined ? undefined : `${durationMs.toFixed(1)} ms`],
      ['Idempotency-Key', entry.idempotencyKey && html`<code>${entry.idempotencyKey}</code>`],
    ])}
  </section>`;
}

function headers(entry: JournalEntry): Markup {
  return html`<section class="panel" aria-labelledby="headers">
    <h2 id="headers">Headers</h2>
    ${facts(Object.entries(entry.headers).map(([name, value]) => [name, html`<code>${value}</code>`]))}
    <p class="quiet">Credentials are not kept, and signatures only where one was refused.</p>
  </section>`;
}

function content(entry: JournalEntry): Markup {
  if (entry.fields) return form(entry.fields, entry.files ?? []);
  if (entry.body === undefined) return html``;
  return html`<section class="panel" aria-labelledby="body">
    <h2 id="body">Body</h2>
    ${entry.bodyBytes !== undefined && html`<p class="quiet">${entry.bodyBytes} bytes${isCut(entry) && ', of which the start is kept'}</p>`}
    ${formatted(entry.body)}
  </section>`;
}

function isCut({ body = '', bodyBytes = 0 }: JournalEntry): boolean {
  return Buffer.byteLength(body) < bodyBytes;
}

/** A body that is JSON indented, with the text as it was signed behind it. */
function formatted(body: string): Markup {
  const plain = html`<pre class="text" tabindex="0">${body}</pre>`;
  const indented = indentedJson(body);
  if (indented === undefined || indented === body) return plain;
  return html`<pre class="text" tabindex="0">${indented}</pre>
    <details>
      <summary>As it was sent</summary>
      ${plain}
    </details>`;
}

const deepest = 32;

/** JSON that is easy to read; undefined for what is none, or so deep that its indentation would be most of it. */
function indentedJson(body: string): string | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isDeeper(value, deepest) ? undefined : JSON.stringify(value, null, 2);
  } catch {
    return undefined;
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

function form(fields: Readonly<Record<string, string>>, files: readonly JournalFile[]): Markup {
  return html`<section class="panel" aria-labelledby="body">
    <h2 id="body">Form</h2>
    ${facts(Object.entries(fields).map(([name, value]) => [name, html`<code class="field-text">${value}</code>`]))}
    ${files.map(
      ({ field, name, type, size, sha256 }) =>
        html`<h3>File ${name}</h3>
          ${facts([
            ['Field', field],
            ['Declared type', type],
            ['Size', `${String(size)} bytes`],
            ['SHA-256', html`<code>${sha256}</code>`],
          ])}`,
    )}
  </section>`;
}

const signingHint = html`<p class="quiet">
  Signs the request anew with the key in <code>INSTALLMENT_SECRET_KEY</code> of your shell.
</p>`;

function curl(entry: JournalEntry, origin: string): Markup {
  const made = curlCommand(entry, origin);
  return html`<section class="panel" aria-labelledby="curl">
    <div class="heading">
      <h2 id="curl">Send it again</h2>
      ${'command' in made && html`<button class="button" type="button" data-copy="curl-command" hidden>Copy as curl</button>`}
    </div>
    ${
      'command' in made
        ? html`${isSigned(entry) && signingHint}
            <pre class="text" id="curl-command" tabindex="0">${made.command}</pre>`
        : html`<p class="quiet">There is no curl command for it: ${made.reason}</p>`
    }
  </section>`;
}
