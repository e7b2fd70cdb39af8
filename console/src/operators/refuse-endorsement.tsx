import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { faultAt } from '../parts/faults.ts'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { texts } from '../texts/texts.ts'

const said = texts.endorsements.refuse

type RefuseEndorsementProps = {
  readonly id: string
  readonly onDone: () => void
  /** What would be written otherwise. */
  readonly children: ComponentChildren
}

export const RefuseEndorsement = ({ id, onDone, children }: RefuseEndorsementProps) => {
  const [isAsking, setAsking] = useState(false)
  const [draft, change, forget] = useDraft(`refuse.${id}`, { reason: '' })
  const order = useOrder('refuseEndorsement')
  const refuse = async (): Promise<void> => {
    if ((await order.give({ path: { id }, body: { reason: draft.reason.trim() } })) === null) return
    forget()
    setAsking(false)
    onDone()
  }
  return (
    <>
      <Button isSmall onPress={() => setAsking(true)}>
        {said.button}
      </Button>
      {isAsking && (
        <Dialog title={said.title} onClose={() => setAsking(false)}>
          <Form onSend={() => void refuse()}>
            {children}
            <TextField
              label={said.reason}
              hint={said.hint}
              fault={faultAt(order.problem, 'reason')}
              value={draft.reason}
              onChange={(reason) => change({ reason })}
              isRequired
              isFirst
            />
            <ProblemNotice problem={order.problem} />
            <div class="actions">
              <Button onPress={() => setAsking(false)}>{texts.common.cancel}</Button>
              <Button look="bad" isBusy={order.isUnderWay}>
                {said.go}
              </Button>
            </div>
          </Form>
        </Dialog>
      )}
    </>
  )
}
