import type { DataRetention } from '../api/generated/operations.ts'
import { Button } from '../parts/button.tsx'
import { besideFields, faultAt } from '../parts/faults.ts'
import { Facts } from '../parts/facts.tsx'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Moment } from '../parts/moment.tsx'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { usePerson } from '../state/session.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { counted, texts } from '../texts/texts.ts'
import { WouldClear } from './would-clear.tsx'

const said = texts.retention

export const RetentionPage = () => {
  const { body, problem, again } = useAnswer('getDataRetention', {})
  const { mayChange } = usePerson()
  return (
    <>
      <PageHead title={texts.pages.retention} lead={said.lead} />
      {body === null && <ProblemNotice problem={problem} />}
      {body && (
        <div class="two">
          {mayChange && <Setting key={body.changedAt} retention={body} onSet={again} />}
          <section class="card">
            <h2>{said.inForce}</h2>
            <Facts
              facts={[
                { name: said.days, value: daysText(body.retentionDays) },
                { name: said.changedAt, value: <Moment at={body.changedAt} /> },
                { name: said.default, value: daysText(body.default) },
              ]}
            />
          </section>
        </div>
      )}
    </>
  )
}

const daysText = (days: number): string => (days === 0 ? said.forEver : counted(said.daysText, days))

const Setting = ({ retention, onSet }: { retention: DataRetention; onSet: () => void }) => {
  const [draft, change, forget] = useDraft(`retention.${retention.changedAt ?? ''}`, {
    days: String(retention.retentionDays),
  })
  const order = useOrder('setDataRetention')
  const days = Number(draft.days)
  const isShorter = days !== 0 && (retention.retentionDays === 0 || days < retention.retentionDays)
  const set = async (): Promise<void> => {
    if ((await order.give({ body: { retentionDays: days } })) === null) return
    forget()
    onSet()
  }
  return (
    <Form class="card stack" onSend={() => void set()}>
      <h2>{said.setTitle}</h2>
      <TextField
        label={said.days}
        hint={said.daysHint}
        type="number"
        fault={faultAt(order.problem, 'retentionDays')}
        value={draft.days}
        onChange={(changed) => change({ days: changed })}
        isRequired
      />
      <p>{said.clears}</p>
      <WouldClear days={days} />
      {isShorter && draft.days !== '' && (
        <Notice tone="warn">
          <p>{said.shorter}</p>
        </Notice>
      )}
      <ProblemNotice problem={besideFields(order.problem, ['retentionDays'])} />
      <div class="row">
        <Button look="main" isBusy={order.isUnderWay}>
          {texts.common.save}
        </Button>
      </div>
    </Form>
  )
}
