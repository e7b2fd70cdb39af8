import type { SetWebhookBody, WebhookEndpoint } from '../api/generated/operations.ts'
import { Button } from '../parts/button.tsx'
import { besideFields, faultAt } from '../parts/faults.ts'
import { CheckField, TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { texts } from '../texts/texts.ts'

type EventType = NonNullable<SetWebhookBody['eventTypes']>[number]

const said = texts.webhook
const EVENT_TYPES = Object.keys(said.eventTypes) as EventType[]

type WebhookFormProps = {
  readonly endpoint: WebhookEndpoint
  readonly onSet: (answered: object) => void
}

/** Where events go to, and which. */
export const WebhookForm = ({ endpoint, onSet }: WebhookFormProps) => {
  const isNew = endpoint.url === null
  const [draft, change, forget] = useDraft(`webhook.${endpoint.updatedAt ?? ''}`, {
    url: endpoint.url ?? '',
    isEverything: endpoint.eventTypes === null,
    eventTypes: (endpoint.eventTypes ?? EVENT_TYPES) as readonly EventType[],
  })
  const order = useOrder('setWebhook')
  const set = async (): Promise<void> => {
    const eventTypes = draft.isEverything ? null : draft.eventTypes
    const answered = await order.give({ body: { url: draft.url.trim(), eventTypes } })
    if (answered === null) return
    forget()
    onSet(answered)
  }
  const choose = (type: EventType, isIn: boolean): void =>
    change({
      eventTypes: EVENT_TYPES.filter((each) => (each === type ? isIn : draft.eventTypes.includes(each))),
    })
  return (
    <Form class="card stack" onSend={() => void set()}>
      <h2>{isNew ? said.setTitle : said.changeTitle}</h2>
      <TextField
        label={said.url}
        hint={said.urlHint}
        type="url"
        placeholder="https://"
        fault={faultAt(order.problem, 'url')}
        value={draft.url}
        onChange={(url) => change({ url })}
        isRequired
      />
      <fieldset class="stack tight">
        <legend>
          <strong class="small">{said.events}</strong>
        </legend>
        <CheckField
          label={said.everything}
          hint={said.everythingHint}
          isChecked={draft.isEverything}
          onChange={(isEverything) => change({ isEverything })}
        />
        {!draft.isEverything &&
          EVENT_TYPES.map((type) => (
            <CheckField
              key={type}
              label={type}
              hint={said.eventTypes[type]}
              isChecked={draft.eventTypes.includes(type)}
              onChange={(isIn) => choose(type, isIn)}
            />
          ))}
      </fieldset>
      <ProblemNotice problem={besideFields(order.problem, ['url'])} />
      <div class="row">
        <Button look="main" isBusy={order.isUnderWay}>
          {isNew ? said.set : texts.common.save}
        </Button>
      </div>
    </Form>
  )
}
