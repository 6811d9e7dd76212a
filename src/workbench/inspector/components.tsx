import type { Child } from 'hono/jsx';
import { facts, type Attributes } from '../../mock/ui/elements.js';

/** A section of a page with its heading, and content beside the heading. */
export const panel = (id: string, title: string, content: Child, beside?: Child, kind = '') => (
  <section class={`panel ${kind}`} id={id} aria-label={title}>
    <div class="heading">{[<h2>{title}</h2>, beside]}</div>
    {content}
  </section>
);

/** The headers or fields of a message. */
export const headerFacts = (named: Readonly<Record<string, string>>) =>
  facts(Object.entries(named).map(([name, value]) => [name, <code>{value}</code>]));

type Column<Row> = readonly [heading: string, cell: (row: Row) => Child, kind?: string];

/** The heading of each column, the cell of a row, and the class of both. The first column names each row. */
export type Columns<Row> = readonly Column<Row>[];

type IdOf<Row> = (row: Row) => string;

/** A table that scrolls sideways if it is too wide. A row with an ID keeps the focus when the page is updated. */
export function table<Row>(label: string, columns: Columns<Row>, rows: readonly Row[], idOf?: IdOf<Row>) {
  const heading = ([text, , kind]: Column<Row>) => (
    <th scope="col" class={kind}>
      {text}
    </th>
  );
  const cell = (row: Row, [, content, kind]: Column<Row>, index: number) =>
    index === 0 ? <th scope="row">{content(row)}</th> : <td class={kind}>{content(row)}</td>;
  return (
    <div class="scroll" tabindex={0} role="group" aria-label={label}>
      <table>
        <thead>
          <tr>{columns.map(heading)}</tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr id={idOf?.(row)}>{columns.map((column, index) => cell(row, column, index))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A panel with one table; nothing if the table is empty. */
export const tablePanel = <Row,>(
  id: string,
  title: string,
  columns: Columns<Row>,
  rows: readonly Row[],
  beside?: Child,
) => rows.length > 0 && panel(id, title, table(title, columns, rows), beside);

/** A hint for the user, instead of an empty list. */
export const emptyState = (title: string, content: Child) => (
  <div class="empty">
    <h2>{title}</h2>
    <p>{content}</p>
  </div>
);

/** A button of a form. It has a label if its text alone is not clear. */
export const button = (text: string, label?: string, more: Attributes = {}) => (
  <button class="button" aria-label={label} {...more}>
    {text}
  </button>
);

/** A form of buttons that send fixed fields. */
export const actionForm = (to: string, fields: Readonly<Record<string, string>>, buttons: Child) => (
  <form class="actions" method="post" action={`/_mock/${to}`}>
    {Object.entries(fields).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    {buttons}
  </form>
);
