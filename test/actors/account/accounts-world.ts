import { hashSync } from '@node-rs/argon2'
import { Secret, TOTP } from 'otpauth'
import { askById } from '../../host/parts/ask-by-id.ts'
import { isRefused, type Refused } from '../../../src/domain/decider.ts'
import type { PeoplePorts } from '../../../src/actors/account/outcomes.ts'
import type { Realm } from '../../../src/actors/roster/rules.ts'
import { beginEnrolment, confirmEnrolment } from '../../../src/actors/account/enrol.ts'
import { inviteAccount, type RemovalPorts } from '../../../src/actors/account/members.ts'
import { Passwords } from '../../../src/actors/account/passwords.ts'
import { newSignInCounts } from '../../../src/actors/sign-in-lockout/attempt-counts.ts'
import { serviceOnMemory } from '../../compose/service-on-memory.ts'
import { stillRuntime } from '../../host/parts/test-runtime.ts'

export const tenantId = 'ten_00aaaaaaaa'
export const otherTenantId = 'ten_00bbbbbbbb'
export const password = 'correct horse battery'
export const from = { address: '192.0.2.7', userAgent: 'Firefox', cookies: '' }

/** Really hashed, with a thousandth of the memory and no steps, so that hundreds of sign-ins cost no minutes. */
const cost = { memoryCost: 16, timeCost: 1, parallelism: 1 }
export const cheapPasswords = (): Passwords => new Passwords(hashSync('decoy', cost), { cost, stepMs: 0 })

/** Accounts of two organisations and of operators on a real host, whose time of day the tests put forward. */
export const accountsWorld = async () => {
  const { actors, runtime, journal, vault, useCases, close } = await serviceOnMemory(undefined, {
    runtime: stillRuntime(),
  })
  const ports: PeoplePorts & RemovalPorts = {
    actors,
    runtime,
    vault,
    tokenTags: useCases.tokenTags,
    signInCounts: newSignInCounts(),
    forgotten: async () => {},
    passwords: cheapPasswords(),
    publicUrl: () => 'https://console.example',
    clientAddress: ({ remoteAddress }) => remoteAddress,
  }
  for (const id of [tenantId, otherTenantId]) {
    const command = { type: 'CreateTenant', atMs: 1, name: 'R', did: 'D', verkey: 'V', seed: 'seed' }
    await askById(actors, id, command, { commandId: `create ${id}`, timeoutMs: 5_000, tenant: null })
  }
  /** A code that was not used yet: thirty seconds later each time. */
  const nextCode = (seed: string): string => {
    runtime.forward(30_000)
    return codeOf(seed, runtime.now())
  }
  const enrolled = async (
    realm: Realm,
    emailAddress: string,
    role: 'admin' | 'viewer' | 'operator' = 'admin',
  ) => {
    const invited = allowed(await inviteAccount(ports, realm, emailAddress, role))
    const invitation = tokenOf(invited.link)
    const begun = allowed(await beginEnrolment(ports, { invitation, name: 'Ann', password }))
    const code = nextCode(begun.totpSeed)
    return { seed: begun.totpSeed, ...allowed(await confirmEnrolment(ports, { invitation, code, from })) }
  }
  return { ports, runtime, journal, vault, nextCode, enrolled, close }
}

export const codeOf = (seed: string, timestamp: number): string =>
  new TOTP({ secret: Secret.fromBase32(seed) }).generate({ timestamp })

export const tokenOf = (link: string | null): string => link?.slice(link.indexOf('#') + 1) ?? ''

export const allowed = <Value>(answer: Value): Exclude<Value, Refused> => {
  if (isRefused(answer)) throw new Error(answer.reason)
  return answer as Exclude<Value, Refused>
}
