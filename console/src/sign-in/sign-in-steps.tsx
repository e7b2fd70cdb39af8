import { useState } from 'preact/hooks'
import type { Gives, SignedIn } from '../api/generated/operations.ts'
import type { Problem } from '../api/problem.ts'
import { send } from '../api/send.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { knownOrganisation } from '../state/known-organisation.ts'
import { texts } from '../texts/texts.ts'
import { SecondFactor } from './second-factor.tsx'

export type Who = {
  /** Null: an operator of the service. */
  readonly organisation: string | null
  readonly emailAddress: string
}

type SignInStepsProps = {
  readonly isOperator: boolean
  /** Whose session is over; somebody else may sign in too. */
  readonly before?: Who
  readonly onDone: (signedIn: SignedIn) => void
}

const said = texts.signIn

/** The password, then the second factor. */
export const SignInSteps = ({ isOperator, before, onDone }: SignInStepsProps) => {
  const [organisation, setOrganisation] = useState(before?.organisation ?? knownOrganisation.read())
  const [emailAddress, setEmailAddress] = useState(before?.emailAddress ?? '')
  const [password, setPassword] = useState('')
  const [begun, setBegun] = useState<Gives['beginSignIn'] | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const begin = async (): Promise<void> => {
    setBusy(true)
    setProblem(null)
    const who = { organisation: isOperator ? null : organisation.trim(), emailAddress: emailAddress.trim() }
    const answer = await send('beginSignIn', { body: { ...who, password } })
    setBusy(false)
    if (!answer.ok) return setProblem(answer.problem)
    setPassword('')
    setBegun(answer.body)
  }
  if (begun !== null) return <SecondFactor begun={begun} onDone={onDone} onStartOver={() => setBegun(null)} />
  return (
    <Form onSend={() => void begin()}>
      {!isOperator && (
        <TextField
          label={said.organisation}
          hint={said.organisationHint}
          name="organisation"
          autoComplete="organization"
          value={organisation}
          onChange={setOrganisation}
          isRequired
          isFirst={organisation === ''}
        />
      )}
      <TextField
        label={said.emailAddress}
        type="email"
        name="username"
        autoComplete="username"
        value={emailAddress}
        onChange={setEmailAddress}
        isRequired
        isFirst={organisation !== '' && emailAddress === ''}
      />
      <TextField
        label={said.password}
        type="password"
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        isRequired
        isFirst={emailAddress !== ''}
      />
      <ProblemNotice problem={problem} />
      <Button look="main" isBusy={isBusy}>
        {said.next}
      </Button>
    </Form>
  )
}
