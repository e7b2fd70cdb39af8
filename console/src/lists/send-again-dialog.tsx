import { useState } from 'preact/hooks'
import type { RetryWebhookDeliveriesBody } from '../api/generated/operations.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field, SelectField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { momentOfDay } from '../state/list-address.ts'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { texts } from '../texts/texts.ts'

type Status = RetryWebhookDeliveriesBody['status']

const said = texts.sendAgain
type Draft = { readonly status: Status; readonly from: string; readonly to: string }

const EMPTY: Draft = { status: 'dead', from: '', to: '' }
const STATUSES: readonly Status[] = ['dead', 'pending', 'delivered']

/** Repeats all deliveries of a state and a span of days; those that are given up unless something else is chosen. */
export const SendAgainDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [{ status, from, to }, change, forget] = useDraft<Draft>('send-again', EMPTY)
  const [isOrdered, setOrdered] = useState(false)
  const order = useOrder('retryWebhookDeliveries')
  const send = async (): Promise<void> => {
    const body = { status, from: momentOfDay(from), to: momentOfDay(to, true) }
    if ((await order.give({ body })) === null) return
    forget()
    setOrdered(true)
  }
  if (isOrdered)
    return (
      <Dialog title={said.title} onClose={onClose}>
        <p role="status">{said.ordered}</p>
        <div class="actions">
          <Button look="main" onPress={onClose}>
            {texts.common.close}
          </Button>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={said.title} onClose={onClose}>
      <p>{said.text}</p>
      <Form onSend={() => void send()}>
        <SelectField
          label={texts.records.state}
          value={status}
          choices={STATUSES.map((value) => ({ value, text: texts.states[value] }))}
          onChange={(changed) => change({ status: changed as Status })}
        />
        <div class="pair even">
          <Day label={texts.lists.from} value={from} onChange={(day) => change({ from: day })} />
          <Day label={texts.lists.to} value={to} onChange={(day) => change({ to: day })} />
        </div>
        <ProblemNotice problem={order.problem} />
        <div class="actions">
          <Button onPress={onClose}>{texts.common.cancel}</Button>
          <Button look="main" isBusy={order.isUnderWay}>
            {said.go}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

type DayProps = { readonly label: string; readonly value: string; readonly onChange: (day: string) => void }

const Day = ({ label, value, onChange }: DayProps) => (
  <Field
    label={label}
    control={({ id }) => (
      <input
        id={id}
        class="input"
        type="date"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )}
  />
)
