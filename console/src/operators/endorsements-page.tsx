import { useState } from 'preact/hooks'
import type { Endorsement } from '../api/generated/operations.ts'
import { choicesOf } from '../lists/connections-page.tsx'
import { ListPage } from '../lists/list-page.tsx'
import type { Column } from '../parts/table.tsx'
import { StateBadge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Empty } from '../parts/empty.tsx'
import { faultAt } from '../parts/faults.ts'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Moment } from '../parts/moment.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { DangerButton } from '../records/danger-button.tsx'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { texts } from '../texts/texts.ts'
import { useOrganisationNames } from './organisation-names.ts'

const said = texts.endorsements

const columnsFor = (nameOf: (id: string) => string, onChange: () => void): readonly Column<Endorsement>[] => [
  {
    title: said.record,
    cell: ({ recordType, recordId }) => (
      <>
        {said.recordTypes[recordType]}
        <div class="quiet small">
          <code>{recordId}</code>
        </div>
      </>
    ),
  },
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
    cell: ({ id, status }) =>
      status === 'waiting' && (
        <div class="row">
          <DangerButton
            operation="approveEndorsement"
            takes={{ path: { id } }}
            said={said.approve}
            look="main"
            isSmall
            onDone={onChange}
          />
          <Refuse id={id} onDone={onChange} />
        </div>
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

const Refuse = ({ id, onDone }: { id: string; onDone: () => void }) => {
  const [isAsking, setAsking] = useState(false)
  const [draft, change, forget] = useDraft(`refuse.${id}`, { reason: '' })
  const order = useOrder('refuseEndorsement')
  const refuse = async (): Promise<void> => {
    if ((await order.give({ path: { id }, body: { reason: draft.reason.trim() } })) === null) return
    forget()
    setAsking(false)
    onDone()
  }
  return (
    <>
      <Button isSmall onPress={() => setAsking(true)}>
        {said.refuse.button}
      </Button>
      {isAsking && (
        <Dialog title={said.refuse.title} onClose={() => setAsking(false)}>
          <Form onSend={() => void refuse()}>
            <TextField
              label={said.refuse.reason}
              hint={said.refuse.hint}
              fault={faultAt(order.problem, 'reason')}
              value={draft.reason}
              onChange={(reason) => change({ reason })}
              isRequired
              isFirst
            />
            <ProblemNotice problem={order.problem} />
            <div class="actions">
              <Button onPress={() => setAsking(false)}>{texts.common.cancel}</Button>
              <Button look="bad" isBusy={order.isUnderWay}>
                {said.refuse.go}
              </Button>
            </div>
          </Form>
        </Dialog>
      )}
    </>
  )
}
