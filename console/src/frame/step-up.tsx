import { useState } from 'preact/hooks'
import type { Problem } from '../api/problem.ts'
import { send } from '../api/send.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { texts } from '../texts/texts.ts'

/** A fresh code for something that shows a secret or takes something away. */
export const StepUp = ({ onSettled }: { readonly onSettled: (passed: boolean) => void }) => {
  const [code, setCode] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const show = async (): Promise<void> => {
    setBusy(true)
    setProblem(null)
    const answer = await send('stepUp', { body: { code } })
    setBusy(false)
    if (answer.ok) return onSettled(true)
    // After too many wrong codes there is no session any more; the next request finds that out.
    if (answer.problem.status === 401) return onSettled(false)
    setProblem(answer.problem)
    setCode('')
  }
  return (
    <Dialog title={texts.stepUp.title} onClose={() => onSettled(false)}>
      <p>{texts.stepUp.why}</p>
      <Form onSend={() => void show()}>
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
          <Button onPress={() => onSettled(false)}>{texts.common.cancel}</Button>
          <Button look="main" isBusy={isBusy}>
            {texts.stepUp.confirm}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
