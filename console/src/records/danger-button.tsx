import type { ComponentChildren } from 'preact'
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
  /** What it is done to, where its row does not say all of that. */
  readonly children?: ComponentChildren
}

/** Something that cannot be undone says first what it does. */
export const DangerButton = <Name extends OperationName>(props: DangerButtonProps<Name>) => {
  const { said, isSmall = false } = props
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button isSmall={isSmall} onPress={() => setAsking(true)}>
        {said.button}
      </Button>
      {isAsking && <Asked {...props} onClose={() => setAsking(false)} />}
    </>
  )
}

/** Whoever asks again begins anew: what was refused before is not said any more. */
const Asked = <Name extends OperationName>(
  props: DangerButtonProps<Name> & { readonly onClose: () => void },
) => {
  const { operation, takes, said, onDone, look = 'bad', children, onClose } = props
  const order = useOrder(operation)
  const go = async (): Promise<void> => {
    const body = await order.give(takes)
    if (body === null) return
    onClose()
    onDone(body)
  }
  return (
    <Dialog title={said.title} onClose={onClose}>
      <Form onSend={() => void go()}>
        <p>{said.text}</p>
        {children}
        <ProblemNotice problem={order.problem} />
        <div class="actions">
          <Button onPress={onClose}>{texts.common.cancel}</Button>
          <Button look={look} isBusy={order.isUnderWay}>
            {said.go}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
