import { useState } from 'preact/hooks'
import type { Gives } from '../api/generated/operations.ts'
import type { Problem } from '../api/problem.ts'
import { send } from '../api/send.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { useDraft } from '../state/use-draft.ts'
import { texts } from '../texts/texts.ts'

type PasswordStepProps = {
  readonly invitation: string
  readonly onDone: (begun: Gives['beginEnrolment']) => void
}

const said = texts.invitation

export const PasswordStep = ({ invitation, onDone }: PasswordStepProps) => {
  // Kept until somebody signs out: a reload begins at this step again.
  const [{ name }, change] = useDraft('invited', { name: '' })
  const [password, setPassword] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const begin = async (): Promise<void> => {
    setBusy(true)
    setProblem(null)
    const answer = await send('beginEnrolment', { body: { invitation, name: name.trim(), password } })
    setBusy(false)
    if (answer.ok) onDone(answer.body)
    else setProblem(answer.problem)
  }
  return (
    <Form onSend={() => void begin()}>
      <TextField
        label={said.name}
        name="name"
        autoComplete="name"
        value={name}
        onChange={(changed) => change({ name: changed })}
        lengthMax={200}
        isRequired
        isFirst
      />
      <TextField
        label={said.password}
        hint={said.passwordHint}
        type="password"
        name="new-password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        isRequired
      />
      <ProblemNotice problem={problem} />
      <Button look="main" isBusy={isBusy}>
        {texts.common.goOn}
      </Button>
    </Form>
  )
}
