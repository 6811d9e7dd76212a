import type { Child, PropsWithChildren } from 'hono/jsx';

interface PanelProps {
  /** ID of the heading. */
  readonly id: string;
  readonly title: string;
  readonly kind?: 'diagnosis' | 'problems';
  /** Shown beside the heading. */
  readonly action?: Child;
}

/** A section of a page, with its heading. */
export function Panel({ id, title, kind, action, children }: PropsWithChildren<PanelProps>) {
  const heading = <h2 id={id}>{title}</h2>;
  return (
    <section class={kind === undefined ? 'panel' : `panel ${kind}`} aria-labelledby={id}>
      {action === undefined ? (
        heading
      ) : (
        <div class="heading">
          {heading}
          {action}
        </div>
      )}
      {children}
    </section>
  );
}

export type Fact = readonly [name: string, value: Child];

/** Names and values; those whose value is undefined are left out. */
export function Facts({ of }: { readonly of: readonly Fact[] }) {
  return (
    <dl class="facts">
      {of
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** The headers of a message. */
export function Headers({ of }: { readonly of: Readonly<Record<string, string>> }) {
  return <Facts of={Object.entries(of).map(([name, value]) => [name, <code>{value}</code>])} />;
}

/** A column: its heading, the cell of a row, and the cell's class. */
export type Column<Row> = readonly [heading: string, cell: (row: Row) => Child, kind?: string];

interface TableProps<Row> {
  /** ID of the heading that names the table. */
  readonly labelledBy: string;
  /** The first one names each row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly class?: string;
}

/** A table that scrolls sideways where it is too wide. */
export function Table<Row>({ labelledBy, columns, rows, class: kind }: TableProps<Row>) {
  return (
    <div class="scroll" tabindex={0} role="group" aria-labelledby={labelledBy}>
      <table class={kind}>
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
              {columns.map(([, cell, cellKind], index) =>
                index === 0 ? <th scope="row">{cell(row)}</th> : <td class={cellKind}>{cell(row)}</td>,
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The name of a row, which leads to its page. */
export function NameLink({ to, name }: { readonly to: string; readonly name: string }) {
  return (
    <a class="mono" href={to}>
      {name}
    </a>
  );
}

/** The table of a list page; the children are shown in place of a table without rows. */
export function TableList<Row>(
  props: PropsWithChildren<Pick<TableProps<Row>, 'columns' | 'rows'> & { readonly id: string }>,
) {
  const { id, columns, rows, children } = props;
  return rows.length === 0 ? (
    <>{children}</>
  ) : (
    <div class="panel list">
      <Table labelledBy={id} columns={columns} rows={rows} class={id} />
    </div>
  );
}

/** A panel with one table. Without rows it is left out. */
export function TablePanel<Row>(
  props: Omit<TableProps<Row>, 'labelledBy'> & Pick<PanelProps, 'id' | 'title'>,
) {
  const { id, title, rows } = props;
  return rows.length === 0 ? null : (
    <Panel id={id} title={title}>
      <Table labelledBy={id} {...props} />
    </Panel>
  );
}

/** A form that is a button: what it sends is fixed. */
export function ActionForm(props: {
  readonly to: string;
  readonly fields: Readonly<Record<string, string | number>>;
  readonly label: string;
  readonly button: string;
}) {
  return (
    <form method="post" action={`/_mock/ui/${props.to}`}>
      {Object.entries(props.fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button class="button" aria-label={props.label}>
        {props.button}
      </button>
    </form>
  );
}
