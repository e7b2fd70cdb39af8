import { useLocation } from 'preact-iso'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { besideFields, faultAt } from '../parts/faults.ts'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { texts } from '../texts/texts.ts'

const said = texts.organisations

export const NewOrganisationDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [draft, change, forget] = useDraft('new-organisation', { name: '' })
  const order = useOrder('createTenant')
  const { route } = useLocation()
  const create = async (): Promise<void> => {
    const made = await order.give({ body: { name: draft.name.trim() } })
    if (made === null) return
    forget()
    route(`/console/organisations/${encodeURIComponent(made.id)}`)
  }
  return (
    <Dialog title={said.create} onClose={onClose}>
      <Form onSend={() => void create()}>
        <TextField
          label={said.name}
          hint={said.nameHint}
          fault={faultAt(order.problem, 'name')}
          value={draft.name}
          onChange={(name) => change({ name })}
          isRequired
          isFirst
        />
        <ProblemNotice problem={besideFields(order.problem, ['name'])} />
        <div class="actions">
          <Button onPress={onClose}>{texts.common.cancel}</Button>
          <Button look="main" isBusy={order.isUnderWay}>
            {said.create}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
