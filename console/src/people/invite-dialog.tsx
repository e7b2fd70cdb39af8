import { useState } from 'preact/hooks'
import type { MemberWithLink } from '../api/generated/operations.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { besideFields, faultAt } from '../parts/faults.ts'
import { SelectField, TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { texts } from '../texts/texts.ts'
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
      <Form onSend={() => void invite()}>
        <TextField
          label={texts.signIn.emailAddress}
          type="email"
          fault={faultAt(order.problem, 'emailAddress')}
          value={draft.emailAddress}
          onChange={(emailAddress) => change({ emailAddress })}
          isRequired
          isFirst
        />
        <SelectField
          label={said.role}
          hint={said.roleHints[draft.role]}
          value={draft.role}
          choices={ROLES.map((value) => ({ value, text: texts.frame.roles[value] }))}
          onChange={(role) => change({ role: role as Role })}
        />
        <ProblemNotice problem={besideFields(order.problem, ['emailAddress'])} />
        <div class="actions">
          <Button onPress={onClose}>{texts.common.cancel}</Button>
          <Button look="main" isBusy={order.isUnderWay}>
            {said.makeLink}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
