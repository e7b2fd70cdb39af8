import type { Invitation } from '../api/generated/operations.ts'
import { Button } from '../parts/button.tsx'
import { besideFields, faultAt } from '../parts/faults.ts'
import { CheckField, TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { forAdministrators } from '../setup/for-administrators.tsx'
import { usePerson } from '../state/session.tsx'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { texts } from '../texts/texts.ts'
import { OpenInvitation } from './open-invitation.tsx'

const said = texts.invite
const BACK = { to: '/console/connections', text: texts.pages.connections }
const EMPTY = { externalId: '', alias: '', multiUse: false, made: null as Invitation | null }

/** An invitation by hand. What was made is kept for the tab, so that a reload shows its code again. */
const Content = () => {
  const { organisation } = usePerson()
  const [draft, change, forget] = useDraft('invitation', EMPTY)
  const order = useOrder('createInvitation')
  const { made, multiUse } = draft
  const create = async (): Promise<void> => {
    const externalId = draft.externalId.trim()
    const alias = draft.alias.trim()
    const body = { multiUse, ...(externalId !== '' && { externalId }), ...(alias !== '' && { alias }) }
    const answered = await order.give({ body })
    if (answered !== null) change({ made: answered })
  }
  return (
    <>
      <PageHead title={said.title} lead={said.lead} back={BACK} />
      {made !== null ? (
        <OpenInvitation invitation={made} onAnother={forget} />
      ) : (
        <Form class="card stack narrow" onSend={() => void create()}>
          <TextField
            label={texts.records.externalId}
            hint={said.externalIdHint}
            fault={faultAt(order.problem, 'externalId')}
            value={draft.externalId}
            onChange={(externalId) => change({ externalId })}
            lengthMax={200}
            isFirst
          />
          <TextField
            label={said.alias}
            hint={said.aliasHint}
            placeholder={organisation?.name ?? ''}
            fault={faultAt(order.problem, 'alias')}
            value={draft.alias}
            onChange={(alias) => change({ alias })}
            lengthMax={200}
          />
          <CheckField
            label={said.multiUse}
            hint={said.multiUseHint}
            isChecked={multiUse}
            onChange={(isMany) => change({ multiUse: isMany })}
          />
          <ProblemNotice problem={besideFields(order.problem, ['externalId', 'alias'])} />
          <div class="row">
            <Button look="main" isBusy={order.isUnderWay}>
              {said.create}
            </Button>
          </div>
        </Form>
      )}
    </>
  )
}

export const InvitePage = forAdministrators(Content, { title: said.title, back: BACK })
