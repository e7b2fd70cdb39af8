import { useState } from 'preact/hooks'
import type { Endorsement } from '../api/generated/operations.ts'
import { choicesOf } from '../lists/connections-page.tsx'
import { ListPage } from '../lists/list-page.tsx'
import type { Column } from '../parts/table.tsx'
import { StateBadge } from '../parts/badge.tsx'
import { Empty } from '../parts/empty.tsx'
import { Moment } from '../parts/moment.tsx'
import { DangerButton } from '../records/danger-button.tsx'
import { texts } from '../texts/texts.ts'
import { EndorsedContent, EndorsedFacts } from './endorsed-content.tsx'
import { useOrganisationNames } from './organisation-names.ts'
import { RefuseEndorsement } from './refuse-endorsement.tsx'

const said = texts.endorsements

const columnsFor = (nameOf: (id: string) => string, onChange: () => void): readonly Column<Endorsement>[] => [
  { title: said.toWrite, cell: (endorsement) => <EndorsedContent {...endorsement} /> },
  { title: texts.organisations.organisation, cell: ({ organisationId }) => nameOf(organisationId) },
  {
    title: texts.records.state,
    cell: ({ status, reason }) => (
      <>
        <StateBadge state={status} />
        {reason !== null && <div class="quiet small">{reason}</div>}
      </>
    ),
  },
  { title: texts.records.createdAt, cell: ({ createdAt }) => <Moment at={createdAt} />, look: 'tight' },
  {
    title: said.decide,
    cell: (endorsement) =>
      endorsement.status === 'waiting' && (
        <Decide of={endorsement} organisation={nameOf(endorsement.organisationId)} onDone={onChange} />
      ),
  },
]

/** What organisations want to write to the ledger, where an operator decides. */
export const EndorsementsPage = () => {
  const nameOf = useOrganisationNames()
  const [round, setRound] = useState(0)
  return (
    <ListPage
      round={round}
      operation="listEndorsements"
      title={texts.pages.endorsements}
      lead={said.lead}
      filters={[
        { is: 'search', hint: texts.deliveries.searchHint },
        {
          is: 'choice',
          name: 'status',
          label: texts.records.state,
          choices: choicesOf(['waiting', 'approved', 'refused']),
        },
        { is: 'given', name: 'organisationId', label: texts.keys.ofOrganisation },
      ]}
      columns={columnsFor(nameOf, () => setRound((before) => before + 1))}
      empty={<Empty title={said.emptyTitle} text={said.empty} />}
    />
  )
}

type DecideProps = {
  readonly of: Endorsement
  readonly organisation: string
  readonly onDone: () => void
}

/** What nobody can see is not approved. */
const Decide = ({ of, organisation, onDone }: DecideProps) => {
  const facts = <EndorsedFacts of={of} organisation={organisation} />
  return (
    <div class="row">
      {of.content !== null && (
        <DangerButton
          operation="approveEndorsement"
          takes={{ path: { id: of.id } }}
          said={said.approve}
          look="main"
          isSmall
          onDone={onDone}
        >
          {facts}
        </DangerButton>
      )}
      <RefuseEndorsement id={of.id} onDone={onDone}>
        {facts}
      </RefuseEndorsement>
    </div>
  )
}
