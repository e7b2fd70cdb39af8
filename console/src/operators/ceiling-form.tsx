import type { LedgerCeiling } from '../api/generated/operations.ts'
import { Button } from '../parts/button.tsx'
import { besideFields, faultAt } from '../parts/faults.ts'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { fill, numberText, texts } from '../texts/texts.ts'

const said = texts.organisation

/** How often it may write to the ledger in a day. */
export const CeilingForm = ({ id }: { readonly id: string }) => {
  const { body, again } = useAnswer('getLedgerCeiling', { path: { id } })
  return body && <Setting key={body.writesPerDay} ceiling={body} onSet={again} />
}

const Setting = ({ ceiling, onSet }: { ceiling: LedgerCeiling; onSet: () => void }) => {
  const { organisationId, writesPerDay, usedToday } = ceiling
  const [draft, change, forget] = useDraft(`ceiling.${organisationId}.${writesPerDay}`, {
    writes: String(writesPerDay),
  })
  const order = useOrder('setLedgerCeiling')
  const set = async (): Promise<void> => {
    const body = { writesPerDay: Number(draft.writes) }
    if ((await order.give({ path: { id: organisationId }, body })) === null) return
    forget()
    onSet()
  }
  return (
    <Form class="card stack" onSend={() => void set()}>
      <h2>{said.ceiling}</h2>
      <TextField
        label={said.writes}
        hint={fill(said.used, { used: numberText(usedToday) })}
        type="number"
        fault={faultAt(order.problem, 'writesPerDay')}
        value={draft.writes}
        onChange={(writes) => change({ writes })}
        isRequired
      />
      <ProblemNotice problem={besideFields(order.problem, ['writesPerDay'])} />
      <div class="row">
        <Button isBusy={order.isUnderWay}>{texts.common.save}</Button>
      </div>
    </Form>
  )
}
