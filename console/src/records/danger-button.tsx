import { useState } from 'preact/hooks'
import type { OperationName } from '../api/address.ts'
import type { Gives, Takes } from '../api/generated/operations.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { useOrder } from '../state/use-order.ts'
import { texts } from '../texts/texts.ts'

type DangerButtonProps<Name extends OperationName> = {
  readonly operation: Name
  readonly takes: Takes[Name]
  /** What the button says, what it does, and what the person then presses. */
  readonly said: {
    readonly button: string
    readonly title: string
    readonly text: string
    readonly go: string
  }
  readonly onDone: (body: Gives[Name]) => void
  readonly isSmall?: boolean
  readonly look?: 'main' | 'bad'
}

/** Something that cannot be undone says first what it does. */
export const DangerButton = <Name extends OperationName>(props: DangerButtonProps<Name>) => {
  const { operation, takes, said, onDone, isSmall = false, look = 'bad' } = props
  const [isAsking, setAsking] = useState(false)
  const order = useOrder(operation)
  const go = async (): Promise<void> => {
    const body = await order.give(takes)
    if (body === null) return
    setAsking(false)
    onDone(body)
  }
  return (
    <>
      <Button isSmall={isSmall} onPress={() => setAsking(true)}>
        {said.button}
      </Button>
      {isAsking && (
        <Dialog title={said.title} onClose={() => setAsking(false)}>
          <Form onSend={() => void go()}>
            <p>{said.text}</p>
            <ProblemNotice problem={order.problem} />
            <div class="actions">
              <Button onPress={() => setAsking(false)}>{texts.common.cancel}</Button>
              <Button look={look} isBusy={order.isUnderWay}>
                {said.go}
              </Button>
            </div>
          </Form>
        </Dialog>
      )}
    </>
  )
}
