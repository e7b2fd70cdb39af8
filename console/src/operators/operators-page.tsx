import { useState } from 'preact/hooks'
import type { Member, MemberWithLink } from '../api/generated/operations.ts'
import { ListPage } from '../lists/list-page.tsx'
import type { Column } from '../parts/table.tsx'
import { InvitationLink } from '../people/invitation-link.tsx'
import { PersonName } from '../people/person-name.tsx'
import { StateBadge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Moment } from '../parts/moment.tsx'
import { DangerButton } from '../records/danger-button.tsx'
import { usePerson } from '../state/session.tsx'
import { texts } from '../texts/texts.ts'
import { InviteOperatorDialog } from './invite-operator-dialog.tsx'

const said = texts.members

const columnsFor = (me: string, onChange: () => void): readonly Column<Member>[] => [
  { title: said.person, cell: (member) => <PersonName member={member} isMe={member.id === me} /> },
  { title: texts.records.state, cell: ({ status }) => <StateBadge state={status} />, look: 'tight' },
  {
    title: said.linkUntil,
    cell: ({ invitationExpiresAt }) => <Moment at={invitationExpiresAt} />,
    look: 'tight',
  },
  { title: texts.records.createdAt, cell: ({ createdAt }) => <Moment at={createdAt} />, look: 'tight' },
  {
    title: said.change,
    cell: ({ id }) => (
      <DangerButton
        operation="removeOperator"
        takes={{ path: { id } }}
        said={said.remove}
        isSmall
        onDone={onChange}
      />
    ),
    look: 'tight',
  },
]

/** The accounts of operators, which are apart from those of every organisation. */
export const OperatorsPage = () => {
  const { signedIn } = usePerson()
  const [isInviting, setInviting] = useState(false)
  const [invited, setInvited] = useState<MemberWithLink | null>(null)
  const [round, setRound] = useState(0)
  const again = (): void => setRound((before) => before + 1)
  return (
    <>
      <ListPage
        round={round}
        operation="listOperators"
        title={texts.pages.operators}
        lead={texts.operators.lead}
        filters={[{ is: 'search', hint: said.searchHint }]}
        columns={columnsFor(signedIn.account.id, again)}
        actions={
          <Button look="main" onPress={() => setInviting(true)}>
            {texts.operators.invite}
          </Button>
        }
        empty={null}
      />
      {isInviting && (
        <InviteOperatorDialog
          onClose={() => setInviting(false)}
          onInvited={(made) => {
            setInviting(false)
            setInvited(made)
            again()
          }}
        />
      )}
      {invited !== null && <InvitationLink invited={invited} onClose={() => setInvited(null)} />}
    </>
  )
}
