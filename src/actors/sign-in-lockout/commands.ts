import { createHash } from 'node:crypto'
import { limits } from '../../domain/limits.ts'
import { OPERATORS } from '../../domain/operators.ts'
import type { Ref } from '../../domain/references.ts'
import { isRefused, type Refused } from '../../domain/refused.ts'
import { networkOf } from '../../http/server/address.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { type LockoutCommand, type LockoutTypes, signInLockout } from './rules.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'vault'>

/** One attempt that is being judged; `forgive` and `forget` when it was right. */
export type Attempt = { readonly forgive: () => Promise<void>; readonly forget: () => Promise<void> }

/** Counts for the account (or the address that has none) and for the place it comes from, unless one of them must wait. */
export const countAttempt = async (
  ports: Ports,
  account: string,
  networkAddress: string,
): Promise<Attempt | Refused> => {
  const ofAccount = await lockoutOf(ports, `account ${account}`)
  const ofPlace = await lockoutOf(ports, `address ${networkOf(networkAddress)}`)
  const tell = (lockout: Ref<LockoutTypes>, command: LockoutCommand) =>
    ports.actors.ask(lockout, command, { commandId: ports.runtime.newId(), tenant: null })
  const count = (lockout: Ref<LockoutTypes>, free: number) =>
    tell(lockout, { type: 'CountAttempt', atMs: ports.runtime.now(), free })
  const refused =
    (await count(ofAccount, limits.signInAttemptsOfAccount)) ??
    (await count(ofPlace, limits.signInAttemptsOfAddress))
  if (isRefused(refused)) return refused
  const forgive = (lockout: Ref<LockoutTypes>) =>
    tell(lockout, { type: 'ForgiveAttempt', atMs: ports.runtime.now() })
  const forget = () => tell(ofAccount, { type: 'ForgetAttempts', atMs: ports.runtime.now() })
  return {
    forgive: async () => void (await Promise.all([forgive(ofAccount), forgive(ofPlace)])),
    // The success of one person says nothing about the guesses of others at the same place.
    forget: async () => void (await Promise.all([forget(), forgive(ofPlace)])),
  }
}

/** By a keyed fingerprint, so that the id does not tell who tried. */
const lockoutOf = async ({ vault }: Ports, of: string): Promise<Ref<LockoutTypes>> => {
  const digest = createHash('sha256')
    .update(await vault.fingerprint(OPERATORS, of))
    .digest()
  return signInLockout.newRef(digest[0] ?? 0, digest.subarray(1, 21).toString('hex'))
}
