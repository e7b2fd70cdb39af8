import type { Member } from '../api/generated/operations.ts'
import { DangerButton } from '../records/danger-button.tsx'
import { fill, texts } from '../texts/texts.ts'

const said = texts.members

/** Makes a viewer of an administrator, or the other way round. */
export const RoleButton = ({ member, onDone }: { readonly member: Member; readonly onDone: () => void }) => {
  const role = member.role === 'admin' ? 'viewer' : 'admin'
  const values = { person: member.name ?? member.emailAddress ?? '' }
  const { button, title, text, go } = said.makes[role]
  return (
    <DangerButton
      operation="changeMemberRole"
      takes={{ path: { id: member.id }, body: { role } }}
      said={{ button, title: fill(title, values), text, go }}
      look="main"
      isSmall
      onDone={onDone}
    />
  )
}
