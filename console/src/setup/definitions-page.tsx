import type { CredentialDefinition } from '../api/generated/operations.ts'
import { choicesOf } from '../lists/connections-page.tsx'
import { definitionName } from '../lists/definition-names.ts'
import { ListPage } from '../lists/list-page.tsx'
import type { Column } from '../parts/table.tsx'
import { StateBadge } from '../parts/badge.tsx'
import { LinkButton } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { usePerson } from '../state/session.tsx'
import { texts } from '../texts/texts.ts'
import { PUBLISHING_STATES } from './schemas-page.tsx'

const said = texts.definition

const columns: readonly Column<CredentialDefinition>[] = [
  {
    title: texts.credentials.definition,
    cell: (definition) => (
      <a href={`/console/definitions/${encodeURIComponent(definition.id)}`}>{definitionName(definition)}</a>
    ),
  },
  { title: texts.records.id, cell: ({ id }) => <code>{id}</code> },
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

export const DefinitionsPage = () => {
  const { mayChange } = usePerson()
  const create = mayChange && (
    <LinkButton to="/console/definitions/new" look="main">
      {said.create}
    </LinkButton>
  )
  return (
    <ListPage
      operation="listCredentialDefinitions"
      title={texts.pages.definitions}
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
