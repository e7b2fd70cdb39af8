import type { Credential } from '../api/generated/operations.ts'
import { StateBadge } from '../parts/badge.tsx'
import { LinkButton } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Moment } from '../parts/moment.tsx'
import { placeOf } from '../state/places.ts'
import { usePerson } from '../state/session.tsx'
import { texts } from '../texts/texts.ts'
import { choicesOf } from './connections-page.tsx'
import { useDefinitionNames } from './definition-names.ts'
import { ListPage } from './list-page.tsx'
import { RecordName } from './record-name.tsx'
import type { Column } from '../parts/table.tsx'

const said = texts.credentials
const STATES = ['offer-sent', 'request-received', 'credential-issued', 'done', 'declined', 'abandoned']

const TOGETHER = [
  { value: 'offer-sent,request-received', text: texts.states['active-exchanges'] },
  { value: 'credential-issued,done', text: texts.states['issued-exchanges'] },
]

export const credentialColumns = (nameOf: (id: string | null) => string): readonly Column<Credential>[] => [
  {
    title: texts.records.exchange,
    cell: ({ id, externalId, erasedAt }) => (
      <RecordName to={placeOf.credential(id)} name={externalId} id={id} isErased={erasedAt !== null} />
    ),
  },
  {
    title: said.definition,
    cell: ({ credentialDefinitionId }) => nameOf(credentialDefinitionId),
  },
  {
    title: texts.records.state,
    cell: ({ state, errorMessage }) => (
      <>
        <StateBadge state={state} />
        {errorMessage !== null && <div class="quiet small">{errorMessage}</div>}
      </>
    ),
  },
  { title: texts.records.createdAt, cell: ({ createdAt }) => <Moment at={createdAt} />, look: 'tight' },
  { title: texts.records.updatedAt, cell: ({ updatedAt }) => <Moment at={updatedAt} />, look: 'tight' },
]

export const CredentialsPage = () => {
  const { mayChange } = usePerson()
  const create = mayChange && (
    <LinkButton to="/console/credentials/new" look="main">
      {texts.offer.create}
    </LinkButton>
  )
  const nameOf = useDefinitionNames()
  return (
    <ListPage
      operation="listCredentials"
      title={texts.pages.credentials}
      lead={said.lead}
      filters={[
        { is: 'search', hint: said.searchHint },
        {
          is: 'choice',
          name: 'state',
          label: texts.records.state,
          choices: [...TOGETHER, ...choicesOf(STATES)],
        },
        { is: 'day', name: 'from' },
        { is: 'day', name: 'to' },
        { is: 'given', name: 'connectionId', label: texts.records.ofConnection },
      ]}
      columns={credentialColumns(nameOf)}
      actions={create}
      empty={
        <Empty title={said.emptyTitle} text={said.empty}>
          {create}
        </Empty>
      }
    />
  )
}
