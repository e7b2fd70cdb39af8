import type { Organisation, UpdateTenantBody } from '../api/generated/operations.ts'
import { Button } from '../parts/button.tsx'
import { besideFields, faultAt } from '../parts/faults.ts'
import { SelectField, TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { texts } from '../texts/texts.ts'

type Mode = NonNullable<UpdateTenantBody['endorsement']>
type Draft = { readonly endorsement: Mode; readonly rate: string; readonly keyRate: string }

const said = texts.organisation
const MODES: readonly Mode[] = ['automatic', 'manual']
const FIELDS = ['ratePerMinute', 'keyRatePerMinute']

const textOf = (rate: number | null): string => (rate === null ? '' : String(rate))
const rateOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

type SettingsProps = { readonly organisation: Organisation; readonly onSet: () => void }

/** How fast it may call, and who signs what it writes to the ledger. */
export const OrganisationSettings = ({ organisation, onSet }: SettingsProps) => {
  const { id, endorsement, ratePerMinute, keyRatePerMinute } = organisation
  const [draft, change, forget] = useDraft<Draft>(`organisation.${id}.${organisation.updatedAt}`, {
    endorsement,
    rate: textOf(ratePerMinute),
    keyRate: textOf(keyRatePerMinute),
  })
  const order = useOrder('updateTenant')
  const set = async (): Promise<void> => {
    const body = {
      endorsement: draft.endorsement,
      ratePerMinute: rateOf(draft.rate),
      keyRatePerMinute: rateOf(draft.keyRate),
    }
    if ((await order.give({ path: { id }, body })) === null) return
    forget()
    onSet()
  }
  return (
    <Form class="card stack" onSend={() => void set()}>
      <h2>{said.settings}</h2>
      <SelectField
        label={said.endorsement}
        hint={said.endorsementHints[draft.endorsement]}
        value={draft.endorsement}
        choices={MODES.map((value) => ({ value, text: said.endorsements[value] }))}
        onChange={(mode) => change({ endorsement: mode as Mode })}
      />
      <div class="pair even">
        <TextField
          label={said.rate}
          hint={said.rateHint}
          type="number"
          fault={faultAt(order.problem, 'ratePerMinute')}
          value={draft.rate}
          onChange={(rate) => change({ rate })}
        />
        <TextField
          label={said.keyRate}
          hint={said.keyRateHint}
          type="number"
          fault={faultAt(order.problem, 'keyRatePerMinute')}
          value={draft.keyRate}
          onChange={(keyRate) => change({ keyRate })}
        />
      </div>
      <ProblemNotice problem={besideFields(order.problem, FIELDS)} />
      <div class="row">
        <Button isBusy={order.isUnderWay}>{texts.common.save}</Button>
      </div>
    </Form>
  )
}
