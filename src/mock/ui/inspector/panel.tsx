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

/** Names and values; those whose value is undefined are left out. */
export function Facts({ of }: { readonly of: readonly (readonly [name: string, value: Child])[] }) {
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

interface TableProps {
  /** ID of the heading that names the table. */
  readonly labelledBy: string;
  readonly columns: readonly string[];
  readonly class?: string;
}

/** A table that scrolls sideways where it is too wide; its children are the rows. */
export function Table({ labelledBy, columns, class: kind, children }: PropsWithChildren<TableProps>) {
  return (
    <div class="scroll" tabindex={0} role="group" aria-labelledby={labelledBy}>
      <table class={kind}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col">{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
