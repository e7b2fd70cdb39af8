import { Copyable } from './copy-button.tsx'
import { QrCode } from './qr-code.tsx'
import { texts } from '../texts/texts.ts'

const said = texts.invitation

type AuthenticatorSeedProps = { readonly totpUrl: string; readonly totpSeed: string }

/** For the camera of an authenticator app, and to be typed where there is none. */
export const AuthenticatorSeed = ({ totpUrl, totpSeed }: AuthenticatorSeedProps) => (
  <div class="seed">
    <QrCode text={totpUrl} label={said.qr} />
    <details>
      <summary>{said.byHand}</summary>
      <p class="small quiet">{said.seed}</p>
      <Copyable text={totpSeed} what={said.seed} />
    </details>
  </div>
)
