import { useState } from 'preact/hooks'
import { RecordChoice } from '../lists/record-choice.tsx'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { besideFields, faultAt } from '../parts/faults.ts'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { texts } from '../texts/texts.ts'

const said = texts.keys
const FIELDS = ['tenantId', 'label', 'ratePerMinute']

type NewKeyDialogProps = {
  /** Whose keys the list shows; empty: those of all. */
  readonly organisation: string
  readonly onClose: () => void
}

/** For which organisation, what for, and how fast; then the key, this once. */
export const NewKeyDialog = ({ organisation, onClose }: NewKeyDialogProps) => {
  const [draft, change, forget] = useDraft(`key.${organisation}`, {
    tenantId: organisation,
    label: '',
    rate: '',
  })
  const [key, setKey] = useState<string | null>(null)
  const order = useOrder('createApiKey')
  const make = async (): Promise<void> => {
    const rate = draft.rate === '' ? {} : { ratePerMinute: Number(draft.rate) }
    const made = await order.give({ body: { tenantId: draft.tenantId, label: draft.label.trim(), ...rate } })
    if (made === null) return
    forget()
    if (made.key === null) onClose()
    else setKey(made.key)
  }
  if (key !== null)
    return <SecretDialog title={said.secretTitle} text={said.secret} secret={key} onKept={onClose} />
  return (
    <Dialog title={said.create} onClose={onClose}>
      <Form onSend={() => void make()}>
        <RecordChoice
          operation="listTenants"
          label={texts.organisations.organisation}
          fault={faultAt(order.problem, 'tenantId')}
          none={texts.organisations.choose}
          searchHint={texts.organisations.searchHint}
          value={draft.tenantId}
          textOf={({ id, name }) => name ?? id}
          onChange={(id) => change({ tenantId: id })}
        />
        <TextField
          label={said.label}
          hint={said.labelHint}
          fault={faultAt(order.problem, 'label')}
          value={draft.label}
          onChange={(label) => change({ label })}
          isRequired
        />
        <TextField
          label={said.rate}
          hint={said.rateHint}
          type="number"
          fault={faultAt(order.problem, 'ratePerMinute')}
          value={draft.rate}
          onChange={(rate) => change({ rate })}
        />
        <ProblemNotice problem={besideFields(order.problem, FIELDS)} />
        <div class="actions">
          <Button onPress={onClose}>{texts.common.cancel}</Button>
          <Button look="main" isBusy={order.isUnderWay}>
            {said.make}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
