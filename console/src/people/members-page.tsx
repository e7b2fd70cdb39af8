import { useState } from 'preact/hooks'
import type { Member } from '../api/generated/operations.ts'
import { ListPage } from '../lists/list-page.tsx'
import type { Column } from '../parts/table.tsx'
import { StateBadge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Moment } from '../parts/moment.tsx'
import { DangerButton } from '../records/danger-button.tsx'
import { usePerson } from '../state/session.tsx'
import { texts, wordsOf } from '../texts/texts.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { PersonName } from './person-name.tsx'
import { RoleButton } from './role-button.tsx'

const said = texts.members

const columnsFor = (me: string, mayChange: boolean, onChange: () => void): readonly Column<Member>[] => [
  {
    title: said.person,
    cell: (member) => <PersonName member={member} isMe={member.id === me} />,
  },
  { title: said.role, cell: ({ role }) => wordsOf(texts.frame.roles, role), look: 'tight' },
  { title: texts.records.state, cell: ({ status }) => <StateBadge state={status} />, look: 'tight' },
  {
    title: said.linkUntil,
    cell: ({ invitationExpiresAt }) => <Moment at={invitationExpiresAt} />,
    look: 'tight',
  },
  { title: texts.records.createdAt, cell: ({ createdAt }) => <Moment at={createdAt} />, look: 'tight' },
  ...(mayChange
    ? [
        {
          title: said.change,
          cell: (member: Member) => (
            <div class="row">
              <RoleButton member={member} onDone={onChange} />
              <DangerButton
                operation="removeMember"
                takes={{ path: { id: member.id } }}
                said={said.remove}
                isSmall
                onDone={onChange}
              />
            </div>
          ),
        },
      ]
    : []),
]

/** Members are changed by administrators, and by nobody who acts for the organisation. */
export const MembersPage = () => {
  const { mayChange, acting, signedIn } = usePerson()
  const [isInviting, setInviting] = useState(false)
  const [round, setRound] = useState(0)
  const isAdministrator = mayChange && acting === null
  const again = (): void => setRound((before) => before + 1)
  return (
    <>
      <ListPage
        round={round}
        operation="listMembers"
        title={texts.pages.members}
        lead={said.lead}
        filters={[{ is: 'search', hint: said.searchHint }]}
        columns={columnsFor(signedIn.account.id, isAdministrator, again)}
        actions={
          isAdministrator && (
            <Button look="main" onPress={() => setInviting(true)}>
              {said.invite}
            </Button>
          )
        }
        empty={null}
      />
      {isInviting && (
        <InviteDialog
          onClose={() => {
            setInviting(false)
            again()
          }}
        />
      )}
    </>
  )
}
