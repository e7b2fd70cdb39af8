import { useLocation } from 'preact-iso'
import { useEffect, useState } from 'preact/hooks'
import { gate } from '../api/call.ts'
import type { SignedIn } from '../api/generated/operations.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { SignInSteps } from '../sign-in/sign-in-steps.tsx'
import { SIGN_IN, START } from '../state/places.ts'
import { usePerson, useSession } from '../state/session.tsx'
import { forgetDrafts } from '../state/use-draft.ts'
import { texts } from '../texts/texts.ts'
import { StepUp } from './step-up.tsx'

/** What a waiting request wants of the person, over the page that made it. */
export const GateDialogs = () => {
  const [wanted, setWanted] = useState(gate.wanted)
  useEffect(() => gate.listen(() => setWanted(gate.wanted)), [])
  if (wanted === 'sign-in') return <SessionOver />
  if (wanted === 'step-up') return <StepUp onSettled={(passed) => gate.settle(passed)} />
  return null
}

/** Hides what the page shows: whoever is there now has no session. */
const SessionOver = () => {
  const { account } = usePerson().signedIn
  const { begin, end } = useSession()
  const { route } = useLocation()
  const { organisation, emailAddress, role } = account
  const goOn = (signedIn: SignedIn): void => {
    if (signedIn.account.id === account.id) {
      begin(signedIn)
      gate.settle(true)
    } else {
      forgetDrafts()
      location.assign(START)
    }
  }
  const leave = (): void => {
    gate.settle(false)
    end()
    route(SIGN_IN, true)
  }
  return (
    <Dialog title={texts.signIn.overTitle} class="session-over">
      <p>{texts.signIn.over}</p>
      <SignInSteps
        isOperator={role === 'operator'}
        before={{ organisation, emailAddress: emailAddress ?? '' }}
        onDone={goOn}
      />
      <div class="row">
        <Button look="plain" isSmall onPress={leave}>
          {texts.signIn.leave}
        </Button>
      </div>
    </Dialog>
  )
}
