import type { Connection } from '../api/generated/operations.ts'
import { StateBadge } from '../parts/badge.tsx'
import { LinkButton } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Moment } from '../parts/moment.tsx'
import { placeOf } from '../state/places.ts'
import { usePerson } from '../state/session.tsx'
import { texts, wordsOf } from '../texts/texts.ts'
import { ListPage } from './list-page.tsx'
import type { Column } from '../parts/table.tsx'
import { RecordName } from './record-name.tsx'

const said = texts.connections
const STATES = ['request-received', 'response-sent', 'completed', 'abandoned', 'closed']

export const choicesOf = (states: readonly string[]) =>
  states.map((value) => ({ value, text: wordsOf(texts.states, value) }))

const columns: readonly Column<Connection>[] = [
  {
    title: said.holder,
    cell: ({ id, theirLabel, erasedAt }) => (
      <RecordName to={placeOf.connection(id)} name={theirLabel} id={id} isErased={erasedAt !== null} />
    ),
  },
  { title: texts.records.externalId, cell: ({ externalId }) => externalId ?? <span class="quiet">–</span> },
  { title: texts.records.state, cell: ({ state }) => <StateBadge state={state} />, look: 'tight' },
  { title: texts.records.createdAt, cell: ({ createdAt }) => <Moment at={createdAt} />, look: 'tight' },
  { title: texts.records.updatedAt, cell: ({ updatedAt }) => <Moment at={updatedAt} />, look: 'tight' },
]

export const ConnectionsPage = () => {
  const { mayChange } = usePerson()
  const create = mayChange && (
    <LinkButton to="/console/connections/new" look="main">
      {texts.invite.button}
    </LinkButton>
  )
  return (
    <ListPage
      operation="listConnections"
      title={texts.pages.connections}
      lead={said.lead}
      filters={[
        { is: 'search', hint: said.searchHint },
        { is: 'choice', name: 'state', label: texts.records.state, choices: choicesOf(STATES) },
        { is: 'day', name: 'from' },
        { is: 'day', name: 'to' },
        { is: 'given', name: 'invitationId', label: said.ofInvitation },
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
