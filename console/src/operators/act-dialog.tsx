import { useLocation } from 'preact-iso'
import type { Organisation } from '../api/generated/operations.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { CheckField, TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { START } from '../state/places.ts'
import { useSession } from '../state/session.tsx'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { fill, texts } from '../texts/texts.ts'

const said = texts.organisations

type ActDialogProps = { readonly organisation: Organisation; readonly onClose: () => void }

/** Why, and whether something may be changed, before an operator sees anything of an organisation. */
export const ActDialog = ({ organisation, onClose }: ActDialogProps) => {
  const [draft, change, forget] = useDraft(`act.${organisation.id}`, { reason: '', mayChange: false })
  const order = useOrder('beginActing')
  const { again } = useSession()
  const { route } = useLocation()
  const begin = async (): Promise<void> => {
    const { reason, mayChange } = draft
    const body = { organisation: organisation.id, reason: reason.trim(), mayChange }
    if ((await order.give({ body })) === null) return
    forget()
    // The pages of the organisation are there as soon as it is known whose they are.
    await again()
    route(START)
  }
  return (
    <Dialog title={fill(said.actTitle, { name: organisation.name ?? organisation.id })} onClose={onClose}>
      <p>{said.actText}</p>
      <Form onSend={() => void begin()}>
        <TextField
          label={said.reason}
          hint={said.reasonHint}
          value={draft.reason}
          onChange={(reason) => change({ reason })}
          isRequired
          isFirst
        />
        <CheckField
          label={said.mayChange}
          hint={said.mayChangeHint}
          isChecked={draft.mayChange}
          onChange={(mayChange) => change({ mayChange })}
        />
        <ProblemNotice problem={order.problem} />
        <div class="actions">
          <Button onPress={onClose}>{texts.common.cancel}</Button>
          <Button look="main" isBusy={order.isUnderWay}>
            {said.act}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
