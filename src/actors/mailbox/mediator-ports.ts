import type { Acquaintances } from '../../didcomm/acquaintances.ts'
import { type KeyPair, keyPairFromSeed } from '../../didcomm/keys.ts'
import { PLATFORM } from '../../domain/operators.ts'
import type { Actors } from '../../ports/actors.ts'
import type { BodyStore } from '../../ports/bodies.ts'
import type { MailboxWatch } from '../../ports/mailbox-watch.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type { Vault } from '../../ports/vault.ts'
import type { KeyClaims } from '../mediated-key/claims.ts'
import type { LostMessages } from './lost-messages.ts'

export type MediatorPorts = {
  readonly actors: Actors
  readonly runtime: Runtime
  readonly vault: Vault
  readonly bodies: BodyStore
  /** The address of the service as the outside sees it. */
  readonly publicUrl: () => string
  readonly mailboxWatch: MailboxWatch
  readonly claims: KeyClaims
  readonly lost: LostMessages
  /** Messages of this mailbox were taken, and are not there. */
  readonly reportLost: (mailbox: string, error: Error) => void
  /** Phones talk to their mailboxes without anybody in between. */
  readonly acquaintances: Acquaintances
  /**
   * Whether every node can open a message that is sealed with the key of its exchange; during an upgrade those of the
   * release before cannot.
   */
  readonly allOpenWithKeysOfExchanges: () => boolean
  /** The one key that all wallets share; it opens what is to be forwarded. */
  readonly routingKey: KeyPair
}

/** Every node derives the same key from the vault; a rotation of the master key leaves it as it is. */
export const openRoutingKey = async (vault: Pick<Vault, 'fingerprint'>): Promise<KeyPair> =>
  keyPairFromSeed(
    Buffer.from(
      await vault.fingerprint(PLATFORM, 'key that all wallets behind the mediator share'),
      'base64url',
    ),
  )
