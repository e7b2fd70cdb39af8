import { TOTP, Secret } from 'otpauth'
import { accountActor } from '../../../src/actors/account/kind.ts'
import { actingActor } from '../../../src/actors/acting/kind.ts'
import { attemptsActor } from '../../../src/actors/sign-in-lockout/kind.ts'
import { auditEntryActor } from '../../../src/actors/audit-entry/kind.ts'
import { rosterActor } from '../../../src/actors/roster/kind.ts'
import { tenantActor } from '../../../src/actors/tenant/effects.ts'
import { isRefused, type Refused } from '../../../src/domain/refused.ts'
import type { AccountPorts, Realm } from '../../../src/actors/account/account-ports.ts'
import { beginEnrolment, confirmEnrolment } from '../../../src/actors/account/enrol.ts'
import { inviteAccount } from '../../../src/actors/account/members.ts'
import { Passwords } from '../../../src/actors/account/passwords.ts'
import { lateActors } from '../../../src/compose/late-actors.ts'
import { MemoryJournal } from '../../host/parts/memory-journal.ts'
import { MemoryVault } from '../../host/parts/memory-vault.ts'
import { openHost } from '../../host/parts/open-host.ts'
import { testRuntime } from '../../host/parts/test-runtime.ts'

export const tenantId = 'ten_00aaaaaaaa'
export const otherTenantId = 'ten_00bbbbbbbb'
export const password = 'correct horse battery'
export const from = { address: '192.0.2.7', userAgent: 'Firefox' }

/** Accounts of two organisations and of operators on a real host; passwords are really hashed. */
export const accountsWorld = async () => {
  const runtime = testRuntime()
  const journal = new MemoryJournal()
  const vault = new MemoryVault()
  const ledger = { registerIdentity: () => Promise.resolve() }
  const actors = lateActors()
  const definitions = [
    actingActor({ actors }),
    tenantActor({ ledger, runtime }),
    accountActor(),
    rosterActor(),
    attemptsActor(),
    auditEntryActor(),
  ]
  const shards = Array.from({ length: 256 }, (_, shard) => shard)
  const { host } = await openHost(journal, { definitions, vault, runtime, shards })
  actors.set(host)
  const ports: AccountPorts = {
    actors: host,
    runtime,
    askTimeoutMs: 5_000,
    vault,
    // A thousandth of the memory, so that hundreds of sign-ins cost no minutes.
    passwords: new Passwords({ cost: { memoryCost: 16, timeCost: 1, parallelism: 1 } }),
    consoleUrl: () => 'https://console.example/console',
  }
  for (const id of [tenantId, otherTenantId]) {
    const command = { type: 'CreateTenant', atMs: 1, name: 'R', did: 'D', verkey: 'V', seed: 'seed' }
    await host.ask(id, command, { commandId: `create ${id}`, timeoutMs: 5_000, tenant: null })
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
  return { ports, runtime, journal, vault, nextCode, enrolled, close: () => host[Symbol.asyncDispose]() }
}

export type AccountsWorld = Awaited<ReturnType<typeof accountsWorld>>

export const codeOf = (seed: string, timestamp: number): string =>
  new TOTP({ secret: Secret.fromBase32(seed) }).generate({ timestamp })

export const tokenOf = (link: string | null): string => link?.slice(link.indexOf('#') + 1) ?? ''

export const allowed = <Value>(answer: Value): Exclude<Value, Refused> => {
  if (isRefused(answer)) throw new Error(answer.reason)
  return answer as Exclude<Value, Refused>
}
