import { useEffect, useState } from 'preact/hooks'
import type { Gives, StepUpBody } from '../api/generated/operations.ts'
import type { Problem } from '../api/problem.ts'
import { send } from '../api/send.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { knowsPasskeys, PASSKEY_NOT_SHOWN, showPasskey } from '../parts/passkey.ts'
import { texts } from '../texts/texts.ts'

/** A fresh second factor for something that shows a secret or takes something away. */
export const StepUp = ({ onSettled }: { readonly onSettled: (passed: boolean) => void }) => {
  const asked = useAskedOfPasskey()
  const [code, setCode] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const show = async (factor: StepUpBody): Promise<void> => {
    setBusy(true)
    setProblem(null)
    const answer = await send('stepUp', { body: factor })
    setBusy(false)
    if (answer.ok) return onSettled(true)
    // After too many wrong codes there is no session any more; the next request finds that out.
    if (answer.problem.status === 401) return onSettled(false)
    setProblem(answer.problem)
    setCode('')
  }
  const byPasskey = async (given: NonNullable<typeof asked>): Promise<void> => {
    const passkey = await showPasskey(given)
    if (passkey === null) setProblem(PASSKEY_NOT_SHOWN)
    else await show({ passkey })
  }
  return (
    <Dialog title={texts.stepUp.title} onClose={() => onSettled(false)}>
      <p>{texts.stepUp.why}</p>
      <Form onSend={() => void show({ code })}>
        <TextField
          label={texts.signIn.code}
          hint={texts.signIn.codeHint}
          value={code}
          onChange={setCode}
          autoComplete="one-time-code"
          lengthMax={7}
          isRequired
          isCode
          isFirst
        />
        <ProblemNotice problem={problem} />
        <div class="actions">
          {asked !== null && (
            <Button look="plain" onPress={() => void byPasskey(asked)}>
              {texts.signIn.usePasskey}
            </Button>
          )}
          <Button onPress={() => onSettled(false)}>{texts.common.cancel}</Button>
          <Button look="main" isBusy={isBusy}>
            {texts.stepUp.confirm}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

/** What a passkey is to sign, known before the person presses: browsers want the press to lead to it at once. */
const useAskedOfPasskey = (): Gives['getStepUp']['passkey'] => {
  const [asked, setAsked] = useState<Gives['getStepUp']['passkey']>(null)
  useEffect(() => {
    if (!knowsPasskeys()) return
    void send('getStepUp', {}).then((answer) => setAsked(answer.ok ? answer.body.passkey : null))
  }, [])
  return asked
}
