import { useState } from 'preact/hooks'
import type { FinishSignInBody, Gives, SignedIn } from '../api/generated/operations.ts'
import type { Problem } from '../api/problem.ts'
import { send } from '../api/send.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { knowsPasskeys, PASSKEY_NOT_SHOWN, showPasskey } from '../parts/passkey.ts'
import { texts } from '../texts/texts.ts'

type SecondFactorProps = {
  readonly begun: Gives['beginSignIn']
  readonly onDone: (signedIn: SignedIn) => void
  readonly onStartOver: () => void
}

const said = texts.signIn

/** The code of the authenticator, or what stands in for it. */
export const SecondFactor = ({ begun, onDone, onStartOver }: SecondFactorProps) => {
  const [isRecovery, setRecovery] = useState(false)
  const [shown, setShown] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const finish = async (factor: Omit<FinishSignInBody, 'signIn'>): Promise<void> => {
    setBusy(true)
    const answer = await send('finishSignIn', { body: { signIn: begun.signIn, ...factor } })
    setBusy(false)
    if (answer.ok) return onDone(answer.body)
    setProblem(answer.problem)
    setShown('')
  }
  const byPasskey = async (): Promise<void> => {
    if (begun.passkey === null) return
    setProblem(null)
    const passkey = await showPasskey(begun.passkey)
    if (passkey === null) setProblem(PASSKEY_NOT_SHOWN)
    else await finish({ passkey })
  }
  return (
    <Form onSend={() => void finish(isRecovery ? { recoveryCode: shown } : { code: shown })}>
      {isRecovery ? (
        <TextField
          key="recovery"
          label={said.recoveryCode}
          hint={said.recoveryCodeHint}
          value={shown}
          onChange={setShown}
          isRequired
          isFirst
        />
      ) : (
        <TextField
          key="code"
          label={said.code}
          hint={said.codeHint}
          value={shown}
          onChange={setShown}
          autoComplete="one-time-code"
          lengthMax={7}
          isRequired
          isCode
          isFirst
        />
      )}
      <ProblemNotice problem={problem} />
      <Button look="main" isBusy={isBusy}>
        {said.finish}
      </Button>
      <div class="row">
        {begun.passkey !== null && knowsPasskeys() && (
          <Button isSmall onPress={() => void byPasskey()}>
            {said.usePasskey}
          </Button>
        )}
        <Button look="plain" isSmall onPress={() => setRecovery(!isRecovery)}>
          {isRecovery ? said.useCode : said.useRecoveryCode}
        </Button>
        <Button look="plain" isSmall onPress={onStartOver}>
          {said.startOver}
        </Button>
      </div>
    </Form>
  )
}
