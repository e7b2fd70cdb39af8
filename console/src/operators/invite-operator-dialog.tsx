import type { MemberWithLink } from '../api/generated/operations.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { besideFields, faultAt } from '../parts/faults.ts'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
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
        <ProblemNotice problem={besideFields(order.problem, ['emailAddress'])} />
        <div class="actions">
          <Button onPress={onClose}>{texts.common.cancel}</Button>
          <Button look="main" isBusy={order.isUnderWay}>
            {texts.members.makeLink}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
