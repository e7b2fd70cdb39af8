import { useState } from 'preact/hooks'
import type { LedgerAgreement } from '../api/generated/operations.ts'
import { Button } from '../parts/button.tsx'
import { Facts } from '../parts/facts.tsx'
import { SelectField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Moment } from '../parts/moment.tsx'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { useOrder } from '../state/use-order.ts'
import { texts } from '../texts/texts.ts'

const said = texts.agreement

/** The agreement of the ledger: while it is open, nothing is written for anybody. */
export const AgreementPage = () => {
  const { body, problem, again } = useAnswer('getLedgerAgreement', {})
  return (
    <>
      <PageHead title={texts.pages.agreement} lead={said.lead} />
      {body === null && <ProblemNotice problem={problem} />}
      {body?.status === 'none' && (
        <Notice>
          <p>{said.none}</p>
        </Notice>
      )}
      {body && body.status !== 'none' && (
        <div class="two">
          <section class="card stack">
            <h2>{said.text}</h2>
            <div class="answer agreement">{body.text}</div>
          </section>
          {body.status === 'open' ? (
            <Accepting key={body.digest} agreement={body} onAccepted={again} />
          ) : (
            <Accepted agreement={body} />
          )}
        </div>
      )}
    </>
  )
}

const Accepting = ({ agreement, onAccepted }: { agreement: LedgerAgreement; onAccepted: () => void }) => {
  const { mechanisms, digest } = agreement
  const [mechanism, setMechanism] = useState(mechanisms[0]?.name ?? '')
  const order = useOrder('acceptLedgerAgreement')
  const accept = async (): Promise<void> => {
    if ((await order.give({ body: { digest: digest ?? '', mechanism } })) !== null) onAccepted()
  }
  return (
    <Form class="card stack" onSend={() => void accept()}>
      <h2>{said.accept}</h2>
      <p>{said.acceptText}</p>
      <SelectField
        label={said.mechanism}
        hint={mechanisms.find(({ name }) => name === mechanism)?.description}
        value={mechanism}
        choices={mechanisms.map(({ name }) => ({ value: name, text: name }))}
        onChange={setMechanism}
      />
      <ProblemNotice problem={order.problem} />
      <div class="row">
        <Button look="main" isBusy={order.isUnderWay}>
          {said.accept}
        </Button>
      </div>
    </Form>
  )
}

const Accepted = ({ agreement }: { agreement: LedgerAgreement }) => (
  <section class="card">
    <h2>{said.accepted}</h2>
    <Facts
      facts={[
        { name: said.version, value: agreement.version },
        { name: said.mechanism, value: agreement.acceptedMechanism },
        { name: said.at, value: <Moment at={agreement.acceptedAt} /> },
        { name: said.by, value: agreement.acceptedBy },
      ]}
    />
  </section>
)
