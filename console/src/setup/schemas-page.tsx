import type { Schema } from '../api/generated/operations.ts'
import { choicesOf } from '../lists/connections-page.tsx'
import { ListPage } from '../lists/list-page.tsx'
import type { Column } from '../parts/table.tsx'
import { StateBadge } from '../parts/badge.tsx'
import { LinkButton } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { usePerson } from '../state/session.tsx'
import { texts } from '../texts/texts.ts'

const said = texts.schema
export const PUBLISHING_STATES = [
  'pending',
  'awaiting_endorsement',
  'endorsed',
  'published',
  'deprecated',
  'failed',
]

const columns: readonly Column<Schema>[] = [
  {
    title: said.name,
    cell: ({ id, name, version }) => (
      <a href={`/console/schemas/${encodeURIComponent(id)}`}>
        {name} {version}
      </a>
    ),
  },
  { title: said.attributes, cell: ({ attributes }) => attributes?.join(', ') },
  {
    title: texts.records.state,
    cell: ({ status, lastError }) => (
      <>
        <StateBadge state={status} />
        {lastError !== null && <div class="quiet small">{lastError}</div>}
      </>
    ),
  },
]

export const SchemasPage = () => {
  const { mayChange } = usePerson()
  const create = mayChange && (
    <LinkButton to="/console/schemas/new" look="main">
      {said.create}
    </LinkButton>
  )
  return (
    <ListPage
      operation="listSchemas"
      title={texts.pages.schemas}
      lead={said.lead}
      filters={[
        { is: 'search', hint: said.searchHint },
        { is: 'choice', name: 'status', label: texts.records.state, choices: choicesOf(PUBLISHING_STATES) },
      ]}
      columns={columns}
      actions={create}
      empty={
        <Empty title={said.emptyTitle} text={said.empty}>
          {create}
        </Empty>
      }
    />
  )
}
