import type { ComponentChildren } from 'preact'
import type { Problem } from '../api/problem.ts'
import { Button } from '../parts/button.tsx'
import { besideFields, faultAt } from '../parts/faults.ts'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { texts } from '../texts/texts.ts'

type AddressFormProps = {
  readonly emailAddress: string
  readonly onChange: (emailAddress: string) => void
  readonly order: { readonly problem: Problem | null; readonly isUnderWay: boolean }
  readonly onSend: () => void
  readonly onClose: () => void
  /** What else an invitation says. */
  readonly children?: ComponentChildren
}

/** Whom to invite, in each dialog that makes a link for an account. */
export const AddressForm = (props: AddressFormProps) => {
  const { emailAddress, onChange, order, onSend, onClose, children } = props
  return (
    <Form onSend={onSend}>
      <TextField
        label={texts.signIn.emailAddress}
        type="email"
        fault={faultAt(order.problem, 'emailAddress')}
        value={emailAddress}
        onChange={onChange}
        isRequired
        isFirst
      />
      {children}
      <ProblemNotice problem={besideFields(order.problem, ['emailAddress'])} />
      <div class="actions">
        <Button onPress={onClose}>{texts.common.cancel}</Button>
        <Button look="main" isBusy={order.isUnderWay}>
          {texts.members.makeLink}
        </Button>
      </div>
    </Form>
  )
}
