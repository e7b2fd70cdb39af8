import type { Proof } from '../api/generated/operations.ts'
import { StateBadge } from '../parts/badge.tsx'
import { LinkButton } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Moment } from '../parts/moment.tsx'
import { placeOf } from '../state/places.ts'
import { usePerson } from '../state/session.tsx'
import { texts } from '../texts/texts.ts'
import { choicesOf } from './connections-page.tsx'
import { useTemplateNames } from './definition-names.ts'
import { ListPage } from './list-page.tsx'
import { RecordName } from './record-name.tsx'
import type { Column } from '../parts/table.tsx'

const said = texts.proofs
const STATES = ['request-sent', 'presentation-received', 'done', 'declined', 'abandoned']

/** Whether it holds is what counts of a proof, once it is known. */
export const resultOf = ({ verified }: Pick<Proof, 'verified'>): string | null =>
  verified === null ? null : verified ? 'verified' : 'refuted'

export const proofColumns = (nameOf: (id: string | null) => string): readonly Column<Proof>[] => [
  {
    title: texts.records.exchange,
    cell: ({ id, externalId, erasedAt }) => (
      <RecordName to={placeOf.proof(id)} name={externalId} id={id} isErased={erasedAt !== null} />
    ),
  },
  { title: said.template, cell: ({ proofTemplateId }) => nameOf(proofTemplateId) },
  {
    title: texts.records.state,
    cell: (proof) => (
      <>
        <StateBadge state={resultOf(proof) ?? proof.state} />
        {proof.errorMessage !== null && <div class="quiet small">{proof.errorMessage}</div>}
      </>
    ),
  },
  { title: texts.records.createdAt, cell: ({ createdAt }) => <Moment at={createdAt} />, look: 'tight' },
  { title: texts.records.updatedAt, cell: ({ updatedAt }) => <Moment at={updatedAt} />, look: 'tight' },
]

export const ProofsPage = () => {
  const { mayChange } = usePerson()
  const create = mayChange && (
    <LinkButton to="/console/proofs/new" look="main">
      {texts.request.create}
    </LinkButton>
  )
  const { nameOf, templates } = useTemplateNames()
  return (
    <ListPage
      operation="listProofs"
      title={texts.pages.proofs}
      lead={said.lead}
      filters={[
        { is: 'search', hint: said.searchHint },
        { is: 'choice', name: 'state', label: texts.records.state, choices: choicesOf(STATES) },
        {
          is: 'choice',
          name: 'verified',
          label: said.result,
          choices: [
            { value: 'true', text: texts.states.verified },
            { value: 'false', text: texts.states.refuted },
          ],
        },
        { is: 'choice', name: 'proofTemplateId', label: said.template, choices: templates },
        { is: 'day', name: 'from' },
        { is: 'day', name: 'to' },
        { is: 'given', name: 'connectionId', label: texts.records.ofConnection },
      ]}
      columns={proofColumns(nameOf)}
      actions={create}
      empty={
        <Empty title={said.emptyTitle} text={said.empty}>
          {create}
        </Empty>
      }
    />
  )
}
