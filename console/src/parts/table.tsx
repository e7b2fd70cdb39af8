import type { ComponentChildren } from 'preact'

export type Column<Item> = {
  readonly title: string
  readonly cell: (item: Item) => ComponentChildren
  readonly look?: 'tight' | 'number'
}

type TableProps<Item> = {
  readonly label: string
  readonly columns: readonly Column<Item>[]
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  readonly isBusy?: boolean
}

/** On a phone each row is a card of its own; the roles keep it a table for whoever hears it. */
export const Table = <Item,>({ label, columns, items, keyOf, isBusy = false }: TableProps<Item>) => (
  <div class="table-frame">
    <table role="table" aria-label={label} aria-busy={isBusy}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ title, look }) => (
            <th key={title} role="columnheader" scope="col" class={look}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {items.map((item) => (
          <tr key={keyOf(item)} role="row">
            {columns.map(({ title, cell, look }) => (
              <td key={title} role="cell" class={look} data-column={title}>
                {/* One box, so that on a phone all of it stands beside the name of its column. */}
                <div>{cell(item)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const ROWS = [0, 1, 2, 3, 4, 5]

/** What stands where the first answer is awaited. */
export const TableSkeleton = ({ label }: { readonly label: string }) => (
  <div class="table-frame" role="status" aria-label={label}>
    <table aria-hidden="true">
      <tbody>
        {ROWS.map((row) => (
          <tr key={row}>
            <td>
              <span class="skeleton" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
