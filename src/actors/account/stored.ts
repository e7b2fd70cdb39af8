import { Type } from 'typebox'
import type { AccountEvent, AccountState } from './state.ts'
import { codec, eventCodec } from '../../host/codec.ts'
import type { Codec } from '../../host/definition.ts'
import { event, oneOf, orNull, text, textOrNull, time } from '../stored-fields.ts'

const role = oneOf(['admin', 'viewer', 'operator'])
const pass = Type.Object({ hash: text, expiresAtMs: time })
const hashes = Type.Array(text)
const session = Type.Object({
  id: text,
  tokenHash: text,
  openedAtMs: time,
  expiresAtMs: time,
  steppedUpAtMs: time,
  address: textOrNull,
  userAgent: textOrNull,
})
const passkey = Type.Object({
  id: text,
  credentialId: text,
  publicKey: text,
  counter: time,
  transports: Type.Array(text),
  label: text,
  addedAtMs: time,
  lastUsedAtMs: orNull(time),
})
const newAuthenticator = Type.Object({ sessionId: text, totpSeed: text, expiresAtMs: time })
const invited = { organisation: textOrNull, role, emailAddress: textOrNull, invitation: pass }
const begun = { name: textOrNull, passwordHash: textOrNull, totpSeed: textOrNull }
const confirmed = { step: time, recoveryHashes: orNull(hashes), session: orNull(session) }
const signedIn = { step: orNull(time), recoveryHash: textOrNull, session: orNull(session) }
const passwordChanged = { passwordHash: textOrNull, keepSessionId: text }

export const accountEvents: Codec<AccountEvent> = eventCodec({
  AccountInvited: { version: 1, schema: event('AccountInvited', invited), personal: ['emailAddress'] },
  InvitationRenewed: { version: 1, schema: event('InvitationRenewed', { invitation: pass }) },
  EnrolmentBegun: {
    version: 1,
    schema: event('EnrolmentBegun', begun),
    personal: ['name', 'passwordHash', 'totpSeed'],
  },
  EnrolmentConfirmed: {
    version: 1,
    schema: event('EnrolmentConfirmed', confirmed),
    personal: ['recoveryHashes', 'session'],
  },
  SignInOpened: { version: 1, schema: event('SignInOpened', { signIn: pass }) },
  SignedIn: { version: 1, schema: event('SignedIn', signedIn), personal: ['recoveryHash', 'session'] },
  SignedInByPasskey: {
    version: 1,
    schema: event('SignedInByPasskey', { passkeyId: text, counter: time, session: orNull(session) }),
    personal: ['session'],
  },
  PasskeyAdded: {
    version: 1,
    schema: event('PasskeyAdded', { passkey: orNull(passkey) }),
    personal: ['passkey'],
  },
  PasskeyRemoved: { version: 1, schema: event('PasskeyRemoved', { passkeyId: text }) },
  SteppedUp: { version: 1, schema: event('SteppedUp', { sessionId: text, step: time }) },
  SteppedUpByPasskey: {
    version: 1,
    schema: event('SteppedUpByPasskey', { sessionId: text, passkeyId: text, counter: time }),
  },
  AuthenticatorOffered: {
    version: 1,
    schema: event('AuthenticatorOffered', { sessionId: text, totpSeed: textOrNull, expiresAtMs: time }),
    personal: ['totpSeed'],
  },
  AuthenticatorExchanged: {
    version: 1,
    schema: event('AuthenticatorExchanged', { sessionId: text, step: time }),
  },
  SessionEnded: { version: 1, schema: event('SessionEnded', { sessionId: text }) },
  SessionsEnded: { version: 1, schema: event('SessionsEnded', {}) },
  PasswordChanged: {
    version: 1,
    schema: event('PasswordChanged', passwordChanged),
    personal: ['passwordHash'],
  },
  RecoveryCodesReplaced: {
    version: 1,
    schema: event('RecoveryCodesReplaced', { recoveryHashes: orNull(hashes) }),
    personal: ['recoveryHashes'],
  },
  RoleChanged: { version: 1, schema: event('RoleChanged', { role }) },
  AccountRemoved: { version: 1, schema: event('AccountRemoved', {}) },
})

export const accountSnapshots: Codec<AccountState> = codec({
  version: 1,
  schema: Type.Union([
    Type.Object({ status: Type.Literal('none') }),
    Type.Object({ status: Type.Literal('removed'), organisation: textOrNull, removedAtMs: time }),
    Type.Object({
      status: oneOf(['invited', 'active']),
      organisation: textOrNull,
      role,
      invitation: orNull(pass),
      signIn: orNull(pass),
      lastTotpStep: time,
      private: orNull(
        Type.Object({
          emailAddress: textOrNull,
          ...begun,
          recoveryHashes: hashes,
          sessions: Type.Array(session),
          passkeys: Type.Array(passkey),
          newAuthenticator: Type.Optional(orNull(newAuthenticator)),
        }),
      ),
      createdAtMs: time,
      updatedAtMs: time,
    }),
  ]),
  personal: ['private'],
})
