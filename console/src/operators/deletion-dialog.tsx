import { useState } from 'preact/hooks'
import type { Organisation } from '../api/generated/operations.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { faultAt } from '../parts/faults.ts'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { useOrder } from '../state/use-order.ts'
import { fill, texts } from '../texts/texts.ts'

const said = texts.organisation.delete

type DeletionDialogProps = {
  readonly organisation: Organisation
  readonly onClose: () => void
  readonly onDone: () => void
}

/** The largest order there is: it wants the name once more, letter by letter. */
export const DeletionDialog = ({ organisation, onClose, onDone }: DeletionDialogProps) => {
  const [name, setName] = useState('')
  const order = useOrder('deleteTenant')
  const wanted = organisation.name ?? organisation.id
  const go = async (): Promise<void> => {
    if ((await order.give({ path: { id: organisation.id }, body: { name } })) !== null) onDone()
  }
  return (
    <Dialog title={fill(said.title, { name: wanted })} onClose={onClose}>
      <p>{said.text}</p>
      <Form onSend={() => void go()}>
        <TextField
          label={fill(said.name, { name: wanted })}
          fault={faultAt(order.problem, 'name')}
          value={name}
          onChange={setName}
          isRequired
          isFirst
        />
        <ProblemNotice problem={order.problem} />
        <div class="actions">
          <Button onPress={onClose}>{texts.common.cancel}</Button>
          <Button look="bad" isBusy={order.isUnderWay || name !== wanted}>
            {said.go}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
