import { useState } from 'preact/hooks'
import type { ApiKey } from '../api/generated/operations.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { besideFields, faultAt } from '../parts/faults.ts'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { fill, numberText, texts } from '../texts/texts.ts'

type KeyRateProps = { readonly apiKey: ApiKey; readonly onChange: () => void }

const said = texts.keys

/** How fast a key may call; of one that is good still, with the way to change it. */
export const KeyRate = ({ apiKey, onChange }: KeyRateProps) => {
  const [isAsking, setAsking] = useState(false)
  const { ratePerMinute, status, label } = apiKey
  const shown =
    ratePerMinute === null ? said.usualRate : fill(said.perMinute, { rate: numberText(ratePerMinute) })
  if (status !== 'active') return <>{shown}</>
  return (
    <span class="row">
      {shown}
      <Button isSmall onPress={() => setAsking(true)}>
        {said.changeRate}
        <span class="unseen"> {label}</span>
      </Button>
      {isAsking && <RateDialog apiKey={apiKey} onChange={onChange} onClose={() => setAsking(false)} />}
    </span>
  )
}

const RateDialog = ({ apiKey, onChange, onClose }: KeyRateProps & { readonly onClose: () => void }) => {
  const { id, label, ratePerMinute } = apiKey
  const [draft, change, forget] = useDraft(`key-rate.${id}.${ratePerMinute}`, {
    rate: ratePerMinute === null ? '' : String(ratePerMinute),
  })
  const order = useOrder('setApiKeyRate')
  const set = async (): Promise<void> => {
    const body = { ratePerMinute: draft.rate.trim() === '' ? null : Number(draft.rate) }
    if ((await order.give({ path: { id }, body })) === null) return
    forget()
    onClose()
    onChange()
  }
  return (
    <Dialog title={fill(said.rateOf, { label })} onClose={onClose}>
      <Form onSend={() => void set()}>
        <TextField
          label={said.rate}
          hint={said.changedRateHint}
          type="number"
          fault={faultAt(order.problem, 'ratePerMinute')}
          value={draft.rate}
          onChange={(rate) => change({ rate })}
          isFirst
        />
        <ProblemNotice problem={besideFields(order.problem, ['ratePerMinute'])} />
        <div class="actions">
          <Button onPress={onClose}>{texts.common.cancel}</Button>
          <Button look="main" isBusy={order.isUnderWay}>
            {texts.common.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
