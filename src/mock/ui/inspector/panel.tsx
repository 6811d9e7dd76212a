import type { Child, PropsWithChildren } from 'hono/jsx';
import { facts, link, type Attributes } from '../shared/elements.js';

interface PanelProps {
  /** ID of the heading. */
  readonly id: string;
  readonly title: string;
  readonly kind?: 'diagnosis' | 'problems';
  /** Shown beside the heading. */
  readonly action?: Child;
}

/** A section of a page, with its heading. */
export const Panel = ({ id, title, kind, action, children }: PropsWithChildren<PanelProps>) => (
  <section class={kind ? `panel ${kind}` : 'panel'} aria-labelledby={id}>
    <div class="heading">
      <h2 id={id}>{title}</h2>
      {action}
    </div>
    {children}
  </section>
);

/** The headers or fields of a message. */
export const headerFacts = (of: Readonly<Record<string, string>>, kind?: string) =>
  facts(Object.entries(of).map(([name, value]) => [name, <code class={kind}>{value}</code>]));

/** A column: its heading, the cell of a row, and the cell's class. The first one names each row. */
export type Column<Row> = readonly [heading: string, cell: (row: Row) => Child, kind?: string];

/** A table that scrolls sideways where it is too wide. The ID of the heading that names it is its class, too. */
export function table<Row>(id: string, columns: readonly Column<Row>[], rows: readonly Row[]) {
  return (
    <div class="scroll" tabindex={0} role="group" aria-labelledby={id}>
      <table class={id}>
        <thead>
          <tr>
            {columns.map(([heading]) => (
              <th scope="col">{heading}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map(([, cell, kind], index) =>
                index === 0 ? <th scope="row">{cell(row)}</th> : <td class={kind}>{cell(row)}</td>,
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The table of a list page, or what is shown in place of a table without rows. */
export const tableList = <Row,>(
  id: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  empty: Child,
) => (rows.length === 0 ? empty : <div class="panel list">{table(id, columns, rows)}</div>);

/** A panel with one table. Without rows it is left out. */
export const tablePanel = <Row,>(
  id: string,
  title: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
) => {
  const content = <Panel {...{ id, title }}>{table(id, columns, rows)}</Panel>;
  return rows.length > 0 && content;
};

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
