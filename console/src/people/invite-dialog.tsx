import { useState } from 'preact/hooks'
import type { MemberWithLink } from '../api/generated/operations.ts'
import { Dialog } from '../parts/dialog.tsx'
import { SelectField } from '../parts/field.tsx'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { texts } from '../texts/texts.ts'
import { AddressForm } from './address-form.tsx'
import { InvitationLink } from './invitation-link.tsx'

const said = texts.members
const ROLES = ['viewer', 'admin'] as const
type Role = (typeof ROLES)[number]
type Draft = { readonly emailAddress: string; readonly role: Role }

/** Whom to invite, and then the link, this once: the service sends no mail. */
export const InviteDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [draft, change, forget] = useDraft<Draft>('invite', { emailAddress: '', role: 'viewer' })
  const [invited, setInvited] = useState<MemberWithLink | null>(null)
  const order = useOrder('inviteMember')
  const invite = async (): Promise<void> => {
    const made = await order.give({ body: { ...draft, emailAddress: draft.emailAddress.trim() } })
    if (made === null) return
    forget()
    setInvited(made)
  }
  if (invited !== null) return <InvitationLink invited={invited} onClose={onClose} />
  return (
    <Dialog title={said.invite} onClose={onClose}>
      <AddressForm
        emailAddress={draft.emailAddress}
        onChange={(emailAddress) => change({ emailAddress })}
        order={order}
        onSend={() => void invite()}
        onClose={onClose}
      >
        <SelectField
          label={said.role}
          hint={said.roleHints[draft.role]}
          value={draft.role}
          choices={ROLES.map((value) => ({ value, text: texts.frame.roles[value] }))}
          onChange={(role) => change({ role: role as Role })}
        />
      </AddressForm>
    </Dialog>
  )
}
