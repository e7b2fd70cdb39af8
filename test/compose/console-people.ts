import { allowed, cheapPasswords, codeOf, password, tokenOf } from '../actors/account/accounts-world.ts'
import { inviteAccount } from '../../src/actors/account/members.ts'
import type { ApiOnMemory } from './api-on-memory.ts'

export const PAGE = { 'sec-fetch-site': 'same-origin', 'user-agent': 'Firefox' }

export type Person = {
  readonly id: string
  readonly cookie: string
  readonly seed: string
  readonly recoveryCodes: readonly string[]
  /** As the console's page sends it. */
  readonly headers: Readonly<Record<string, string>>
}

/** People with accounts, made over HTTP from the link on. */
export const consolePeople = ({ service, send }: ApiOnMemory) => {
  const { useCases, vault, runtime } = service
  const publicUrl = () => 'https://issuer.example'
  const ports = { ...useCases, vault, publicUrl, passwords: cheapPasswords(), forgotten: async () => {} }
  const nextCode = (seed: string): string => {
    runtime.forward(30_000)
    return codeOf(seed, runtime.now())
  }
  const enrol = async (
    organisation: string | null,
    emailAddress: string,
    role: 'admin' | 'viewer' | 'operator' = 'admin',
  ): Promise<Person> => {
    const invited = allowed(await inviteAccount(ports, organisation, emailAddress, role))
    return takeUp(tokenOf(invited.link))
  }
  const takeUp = async (invitation: string): Promise<Person> => {
    const body = { invitation, name: 'Ann', password }
    const begun = await send('POST', '/v1/enrolments', { body, headers: PAGE })
    const seed = String(begun.json['totpSeed'])
    const confirm = { invitation, code: nextCode(seed) }
    const done = await send('POST', '/v1/enrolments/confirm', { body: confirm, headers: PAGE })
    if (done.status !== 201) throw new Error(done.text)
    const { account, recoveryCodes } = done.json as unknown as {
      account: { id: string }
      recoveryCodes: string[]
    }
    const cookie = cookieOf(done.headers)
    return { id: account.id, cookie, seed, recoveryCodes, headers: { ...PAGE, cookie } }
  }
  return { enrol, takeUp, nextCode, ports }
}

export const cookieOf = (headers: Readonly<Record<string, string>>): string =>
  (headers['Set-Cookie'] ?? '').split(';')[0] ?? ''
