import type { MemberWithLink } from '../api/generated/operations.ts'
import { Dialog } from '../parts/dialog.tsx'
import { AddressForm } from '../people/address-form.tsx'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { texts } from '../texts/texts.ts'

type InviteOperatorDialogProps = {
  readonly onClose: () => void
  readonly onInvited: (invited: MemberWithLink) => void
}

export const InviteOperatorDialog = ({ onClose, onInvited }: InviteOperatorDialogProps) => {
  const [draft, change, forget] = useDraft('invite-operator', { emailAddress: '' })
  const order = useOrder('inviteOperator')
  const invite = async (): Promise<void> => {
    const made = await order.give({ body: { emailAddress: draft.emailAddress.trim() } })
    if (made === null) return
    forget()
    onInvited(made)
  }
  return (
    <Dialog title={texts.operators.invite} onClose={onClose}>
      <p>{texts.operators.inviteText}</p>
      <AddressForm
        emailAddress={draft.emailAddress}
        onChange={(emailAddress) => change({ emailAddress })}
        order={order}
        onSend={() => void invite()}
        onClose={onClose}
      />
    </Dialog>
  )
}
