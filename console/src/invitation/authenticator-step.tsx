import { useState } from 'preact/hooks'
import type { Gives } from '../api/generated/operations.ts'
import type { Problem } from '../api/problem.ts'
import { send } from '../api/send.ts'
import { AuthenticatorSeed } from '../parts/authenticator-seed.tsx'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { fill, texts } from '../texts/texts.ts'

type AuthenticatorStepProps = {
  readonly invitation: string
  readonly begun: Gives['beginEnrolment']
  readonly onDone: (enrolled: Gives['confirmEnrolment']) => void
}

const said = texts.invitation

export const AuthenticatorStep = ({ invitation, begun, onDone }: AuthenticatorStepProps) => {
  const [code, setCode] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const confirm = async (): Promise<void> => {
    setBusy(true)
    setProblem(null)
    const answer = await send('confirmEnrolment', { body: { invitation, code } })
    setBusy(false)
    if (answer.ok) return onDone(answer.body)
    setProblem(answer.problem)
    setCode('')
  }
  return (
    <Form onSend={() => void confirm()}>
      <p>{fill(said.authenticator, { address: begun.emailAddress })}</p>
      <AuthenticatorSeed {...begun} />
      <TextField
        label={said.code}
        autoComplete="one-time-code"
        value={code}
        onChange={setCode}
        lengthMax={7}
        isRequired
        isCode
        isFirst
      />
      <ProblemNotice problem={problem} />
      <Button look="main" isBusy={isBusy}>
        {said.confirm}
      </Button>
    </Form>
  )
}
