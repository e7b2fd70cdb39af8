import { useLocation } from 'preact-iso'
import { useEffect, useState } from 'preact/hooks'
import type { Gives } from '../api/generated/operations.ts'
import { LinkButton } from '../parts/button.tsx'
import { Notice } from '../parts/notice.tsx'
import { RecoveryCodes } from '../parts/recovery-codes.tsx'
import { Door } from '../sign-in/door.tsx'
import { knownOrganisation } from '../state/known-organisation.ts'
import { START } from '../state/places.ts'
import { useSession } from '../state/session.tsx'
import { fill, texts } from '../texts/texts.ts'
import { AuthenticatorStep } from './authenticator-step.tsx'
import { PasswordStep } from './password-step.tsx'

const said = texts.invitation

/** Empty where the link lost a part of it. */
const invitationInAddress = (): string => {
  try {
    return decodeURIComponent(location.hash.slice(1))
  } catch {
    return ''
  }
}

/** Stands in the place of the invitation once that is spent, so that a reload knows how far it came. */
const SET_UP = 'set-up'

/**
 * From the link to the console. What identifies the invitation stands behind the `#`, which no server is sent; it stays
 * there until the account is made, so that a reload begins anew and loses nothing. After that a reload has lost the
 * recovery codes, which are shown once, and says where others are made.
 */
export const InvitationPage = () => {
  const { route } = useLocation()
  const session = useSession()
  const [invitation] = useState(invitationInAddress)
  const [begun, setBegun] = useState<Gives['beginEnrolment'] | null>(null)
  const [enrolled, setEnrolled] = useState<Gives['confirmEnrolment'] | null>(null)
  // Whoever lost the end of the link pastes the whole one into the same tab: the path is the same then.
  useEffect(() => {
    const again = (): void => location.reload()
    addEventListener('hashchange', again)
    return () => removeEventListener('hashchange', again)
  }, [])
  const step = (number: number): string => fill(said.step, { step: number })
  const hold = (made: Gives['confirmEnrolment']): void => {
    knownOrganisation.keep(made.account.organisation)
    history.replaceState(history.state, '', `#${SET_UP}`)
    setEnrolled(made)
  }
  if (invitation === '')
    return (
      <Door title={said.missingTitle}>
        <p>{said.missing}</p>
      </Door>
    )
  if (invitation === SET_UP)
    return (
      <Door title={said.setUpTitle} above={step(3)}>
        <p>{said.setUp}</p>
        <LinkButton to="/console/account" look="main">
          {said.toAccount}
        </LinkButton>
      </Door>
    )
  if (enrolled !== null) {
    const { recoveryCodes, ...signedIn } = enrolled
    const enter = (): void => {
      session.begin(signedIn)
      route(START, true)
    }
    return (
      <Door title={said.codesTitle} above={step(3)}>
        <RecoveryCodes codes={recoveryCodes} goOn={said.enter} onKept={enter} />
      </Door>
    )
  }
  if (begun !== null)
    return (
      <Door title={said.authenticatorTitle} above={step(2)}>
        <AuthenticatorStep invitation={invitation} begun={begun} onDone={hold} />
      </Door>
    )
  return (
    <Door title={said.title} above={step(1)}>
      {session.is === 'in' && (
        <Notice tone="warn">
          <p>{said.alreadyIn}</p>
        </Notice>
      )}
      <PasswordStep invitation={invitation} onDone={setBegun} />
    </Door>
  )
}
