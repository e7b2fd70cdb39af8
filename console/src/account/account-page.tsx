import { useState } from 'preact/hooks'
import { PageHead } from '../parts/page-head.tsx'
import { knowsPasskeys } from '../parts/passkey.ts'
import { usePerson } from '../state/session.tsx'
import { texts } from '../texts/texts.ts'
import { AnotherAuthenticator } from './another-authenticator.tsx'
import { Passkeys } from './passkeys.tsx'
import { PasswordForm } from './password-form.tsx'
import { NewRecoveryCodes } from './new-recovery-codes.tsx'
import { Sessions } from './sessions.tsx'

/** One's own account; nobody else's, also while an operator acts for somebody. */
export const AccountPage = () => {
  const { account } = usePerson().signedIn
  const [round, setRound] = useState(0)
  return (
    <>
      <PageHead title={texts.account.title} lead={`${account.name ?? ''} · ${account.emailAddress ?? ''}`} />
      <Sessions key={round} />
      <div class="two">
        <div class="stack wide">
          <AnotherAuthenticator onExchanged={() => setRound((before) => before + 1)} />
          {knowsPasskeys() && <Passkeys />}
        </div>
        <div class="stack wide">
          <PasswordForm />
          <NewRecoveryCodes left={account.recoveryCodesLeft} />
        </div>
      </div>
    </>
  )
}
