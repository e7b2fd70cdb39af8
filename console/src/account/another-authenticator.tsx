import { useState } from 'preact/hooks'
import type { Gives } from '../api/generated/operations.ts'
import { AuthenticatorSeed } from '../parts/authenticator-seed.tsx'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { useOrder } from '../state/use-order.ts'
import { fill, shortTime, texts } from '../texts/texts.ts'

const said = texts.account

/** As for a new phone: the old one is good until the new one has shown its first code. */
export const AnotherAuthenticator = ({ onExchanged }: { readonly onExchanged: () => void }) => {
  const [begun, setBegun] = useState<Gives['beginAuthenticator'] | null>(null)
  const [isDone, setDone] = useState(false)
  const order = useOrder('beginAuthenticator')
  const begin = async (): Promise<void> => {
    setDone(false)
    setBegun(await order.give({}))
  }
  return (
    <section class="card stack">
      <h2>{said.authenticator}</h2>
      <p class="quiet">{said.authenticatorHint}</p>
      <ProblemNotice problem={order.problem} />
      {isDone && <Notice tone="good" title={said.authenticatorChanged} />}
      <div class="row">
        <Button isBusy={order.isUnderWay} onPress={() => void begin()}>
          {said.anotherAuthenticator}
        </Button>
      </div>
      {begun !== null && (
        <FirstCode
          begun={begun}
          onClose={() => setBegun(null)}
          onDone={() => {
            setBegun(null)
            setDone(true)
            onExchanged()
          }}
        />
      )}
    </section>
  )
}

type FirstCodeProps = {
  readonly begun: Gives['beginAuthenticator']
  readonly onClose: () => void
  readonly onDone: () => void
}

const FirstCode = ({ begun, onClose, onDone }: FirstCodeProps) => {
  const [code, setCode] = useState('')
  const order = useOrder('confirmAuthenticator')
  const confirm = async (): Promise<void> => {
    if ((await order.give({ body: { code } })) !== null) onDone()
    else setCode('')
  }
  return (
    <Dialog title={said.anotherAuthenticator} onClose={onClose}>
      <Form onSend={() => void confirm()}>
        <p>{fill(said.scanAnother, { until: shortTime(begun.expiresAt) })}</p>
        <AuthenticatorSeed {...begun} />
        <TextField
          label={texts.invitation.code}
          autoComplete="one-time-code"
          value={code}
          onChange={setCode}
          lengthMax={7}
          isRequired
          isCode
          isFirst
        />
        <ProblemNotice problem={order.problem} />
        <div class="actions">
          <Button onPress={onClose}>{texts.common.cancel}</Button>
          <Button look="main" isBusy={order.isUnderWay}>
            {said.exchange}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
