import type { Child } from 'hono/jsx';
import { facts, link, type Attributes } from '../shared/elements.js';

/** A section of a page, with its heading, which has the ID, and what is beside that. */
export const panel = (id: string, title: string, content: Child, action?: Child, kind = 'panel') => (
  <section class={kind} aria-labelledby={id}>
    <div class="heading">
      <h2 id={id}>{title}</h2>
      {action}
    </div>
    {content}
  </section>
);

/** The headers or fields of a message. */
export const headerFacts = (of: Readonly<Record<string, string>>, kind?: string) =>
  facts(Object.entries(of).map(([name, value]) => [name, <code class={kind}>{value}</code>]));

type Column<Row> = readonly [heading: string, cell: (row: Row) => Child, kind?: string];

/** Columns: the heading, the cell of a row, and the cell's class. The first one names each row. */
export type Columns<Row> = readonly Column<Row>[];

const cellOf = <Row,>([, cell, kind]: Column<Row>, row: Row, isFirst: boolean) =>
  isFirst ? <th scope="row">{cell(row)}</th> : <td class={kind}>{cell(row)}</td>;

/** A table that scrolls sideways where it is too wide. The ID of the heading that names it is its class, too. */
export function table<Row>(id: string, columns: Columns<Row>, rows: readonly Row[]) {
  const headings = columns.map(([heading]) => <th scope="col">{heading}</th>);
  return (
    <div class="scroll" tabindex={0} role="group" aria-labelledby={id}>
      <table class={id}>
        <thead>
          <tr>{headings}</tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>{columns.map((column, index) => cellOf(column, row, index === 0))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The table of a list page, or what is shown in place of a table without rows. */
export const tableList = <Row,>(id: string, columns: Columns<Row>, rows: readonly Row[], empty: Child) =>
  rows.length === 0 ? empty : <div class="panel list">{table(id, columns, rows)}</div>;

/** A panel with one table. Without rows it is left out. */
export const tablePanel = <Row,>(id: string, title: string, columns: Columns<Row>, rows: readonly Row[]) =>
  rows.length > 0 && panel(id, title, table(id, columns, rows));

/** The name of a row, which leads to its page. */
export const nameLink = (to: string, name: string) => link(to, name, { class: 'mono' });

type Fields = Readonly<Record<string, string | number>>;

/** Buttons that send fixed fields. */
export const actionForm = (to: string, fields: Fields, buttons: Child, more: Attributes = {}) => (
  <form method="post" action={`/_mock/ui/${to}`} {...more}>
    {Object.entries(fields).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    {buttons}
  </form>
);

/** A button whose name tells its row. */
export const rowButton = (text: string, label: string) => (
  <button class="button" aria-label={label}>
    {text}
  </button>
);
