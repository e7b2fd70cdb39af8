import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { besideFields, faultAt } from '../parts/faults.ts'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { useOrder } from '../state/use-order.ts'
import { texts } from '../texts/texts.ts'

const said = texts.account

/** Passwords are kept nowhere, also not for a reload. */
export const PasswordForm = () => {
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const [isDone, setDone] = useState(false)
  const order = useOrder('changePassword')
  const change = async (): Promise<void> => {
    setDone(false)
    if ((await order.give({ body: { currentPassword, newPassword } })) === null) return
    setCurrent('')
    setNew('')
    setDone(true)
  }
  return (
    <Form class="card stack" onSend={() => void change()}>
      <h2>{said.password}</h2>
      <TextField
        label={said.currentPassword}
        type="password"
        autoComplete="current-password"
        fault={faultAt(order.problem, 'currentPassword')}
        value={currentPassword}
        onChange={setCurrent}
        isRequired
      />
      <TextField
        label={said.newPassword}
        hint={texts.invitation.passwordHint}
        type="password"
        autoComplete="new-password"
        fault={faultAt(order.problem, 'newPassword')}
        value={newPassword}
        onChange={setNew}
        isRequired
      />
      <p class="quiet small">{said.passwordEnds}</p>
      <ProblemNotice problem={besideFields(order.problem, ['currentPassword', 'newPassword'])} />
      {isDone && <Notice tone="good" title={said.passwordChanged} />}
      <div class="row">
        <Button isBusy={order.isUnderWay}>{said.changePassword}</Button>
      </div>
    </Form>
  )
}
