import { randomUUID } from 'node:crypto'
import { startUwsServer } from '../../../src/http/server/uws-server.ts'
import type { Caller } from '../../../src/http/callers/caller.ts'
import type { FrontDoor } from '../../../src/http/server/server.ts'
import { password } from '../../actors/account/accounts-world.ts'
import type { ApiOnMemory } from '../../compose/api-on-memory.ts'
import { cookieOf, PAGE, type Person } from '../../compose/console-people.ts'
import type { Answer, Asked, Headers, Json, Place, Role } from './place.ts'

export { type Answer, type Asked, type Json, PAGE }

/** A fresh code is shown before the one before is too old. */
const FRESH_MS = 240_000
const ROLES = ['admin', 'viewer', 'operator'] as const

/** Members of an organisation that is gone, and accounts that are: as when they go while a request is under way. */
const GONE = 'ten_00goneaaaaaa'
export const goneMember: Caller = {
  kind: 'member',
  tenantId: GONE,
  memberId: 'acc_00goneaaaaaa',
  role: 'admin',
  session: { id: 's', steppedUpAtMs: Number.MAX_SAFE_INTEGER },
}

const installation = () => ({ 'idempotency-key': randomUUID() })

/** A service with an organisation that has all that it needs, and people. */
export const worldOn = async (place: Place) => {
  const { furniture, key, inside } = place
  const { tenant, definitionId } = furniture
  const senders = sendersOf(place)
  const { raw } = senders
  const people = peopleOf(place, raw)
  const known: Record<Role, Person> = {
    admin: await people.person(tenant, 'admin'),
    viewer: await people.person(tenant, 'viewer'),
    operator: await people.person(null, 'operator'),
  }
  senders.know(known)
  const wallet = await raw('POST', {
    as: { bearer: key },
    target: '/v1/wallets',
    body: {},
    headers: installation(),
  })
  senders.useWallet(String(wallet.json['walletToken']))
  const ask = async (method: string, asked: Asked, port?: number): Promise<Answer> => {
    const { as } = asked
    if (as === 'admin' || as === 'viewer' || as === 'operator') await people.fresh(known[as])
    return raw(method, asked, port)
  }
  // More is published here in a day than by any organisation.
  const ceiling = { target: `/v1/operator/ledger-ceilings/${tenant}`, body: { writesPerDay: 100_000 } }
  await ask('PUT', { as: 'operator', ...ceiling })
  const doors = new Map<string, number>()
  const templates = '/v1/proof-templates'
  const groups = [{ name: 'person', credentialDefinitionIds: [definitionId], attributes: ['name'] }]
  const template = await ask('POST', { as: 'admin', target: templates, body: { name: 'Entry', groups } })
  return {
    ...furniture,
    ...place,
    groups,
    templateId: String(template.json['id']),
    ask,
    /** Without showing a fresh code first. */
    raw: (method: string, asked: Asked) => raw(method, asked),
    /** The same service behind the other server. */
    serveOnUws: () => {
      const { api, serve } = inside('another server')
      return serve(api.door, startUwsServer)
    },
    through: async (name: string, doorOf: (api: ApiOnMemory) => FrontDoor) => {
      const { api, serve } = inside('a handler that fails')
      const other = doors.get(name) ?? (await serve(doorOf(api)))
      doors.set(name, other)
      return (method: string, asked: Asked) => raw(method, asked, other)
    },
    gone: async (method: string, target: string, body?: unknown, as: Caller = goneMember): Promise<Answer> =>
      inside('a caller who goes while the request is under way').api.send(method, target, {
        as,
        ...(body !== undefined && { body }),
      }),
    person: people.person,
    enrol: people.enrol,
    emailAddressOf: (who: 'admin' | 'operator'): string => people.addressOf(known[who]),
    /** Everybody signs in again. */
    again: async (): Promise<void> => {
      for (const who of ROLES) known[who] = await people.signInAgain(known[who])
    },
    /** Somebody who is the only one that may change things. */
    onlyOne: async (who: 'admin' | 'operator', run: (person: Person) => Promise<Answer>): Promise<Answer> => {
      // Of the operators of a cluster nobody here is the only one.
      if (who === 'operator') inside('a record in a state that takes days or a fault')
      return run(who === 'operator' ? known.operator : await people.person(await place.newTenant(), 'admin'))
    },
    /** Whose second factor was shown too long ago. */
    stale: async (role: 'admin' | 'operator' = 'admin'): Promise<Person> => {
      inside('a clock that is set')
      const who = role === 'operator' ? known.operator : await people.person(tenant, 'admin')
      await place.pass(FRESH_MS + 120_000)
      return who
    },
    installation,
    post: async (target: string, body: unknown, as: Asked['as'] = 'key'): Promise<Json> =>
      (await ask('POST', { as, target, body })).json,
  }
}

export type World = Awaited<ReturnType<typeof worldOn>>

type Raw = (method: string, asked: Asked, port?: number) => Promise<Answer>

/** Each request from a place of its own, so that the failures of one case lock nobody out of the next. */
const sendersOf = ({ key, send }: Place) => {
  let places = 0
  let walletToken = ''
  let known: Readonly<Record<Role, Person>> | null = null
  const personOf = (as: Role | Person): Person => {
    if (typeof as !== 'string') return as
    if (known === null) throw new Error(`nobody is ${as} yet`)
    return known[as]
  }
  const credentialsOf = ({ as, headers = {} }: Asked): Headers => {
    if (as === 'nobody') return headers
    if (as === 'key') return { ...headers, authorization: `Bearer ${key}` }
    if (as === 'wallet') return { ...headers, authorization: `Bearer ${walletToken}` }
    if (typeof as === 'object' && 'bearer' in as) return { ...headers, authorization: `Bearer ${as.bearer}` }
    return { ...personOf(as).headers, ...headers }
  }
  const raw: Raw = (method, asked, port) => {
    const from = ++places
    const headers = { 'x-forwarded-for': `203.0.${(from >> 8) & 255}.${from & 255}`, ...credentialsOf(asked) }
    return send(method, asked, headers, port)
  }
  return {
    raw,
    know: (people: Readonly<Record<Role, Person>>): void => {
      known = people
    },
    useWallet: (token: string): void => {
      walletToken = token
    },
  }
}

/** People of the console, from their invitation on. */
const peopleOf = ({ invite, nextCode, now }: Place, raw: Raw) => {
  let enrolled = 0
  const addresses = new Map<string, { readonly organisation: string | null; readonly emailAddress: string }>()
  const steppedUp = new Map<string, number>()
  const asPage = async (target: string, body: Json): Promise<Answer> => {
    const answer = await raw('POST', { as: 'nobody', target, body, headers: PAGE })
    if (answer.status >= 300) throw new Error(`${target}: ${answer.text}`)
    return answer
  }
  const cookieIn = ({ headers }: Answer): string => cookieOf({ 'Set-Cookie': headers['set-cookie'] ?? '' })
  const enrol = async (
    organisation: string | null,
    emailAddress: string,
    role: Role = 'admin',
  ): Promise<Person> => {
    const invitation = await invite(organisation, emailAddress, role)
    const begun = await asPage('/v1/enrolments', { invitation, name: 'Ann', password })
    const seed = String(begun.json['totpSeed'])
    const done = await asPage('/v1/enrolments/confirm', { invitation, code: await nextCode(seed) })
    const { account, recoveryCodes } = done.json as unknown as {
      account: { id: string }
      recoveryCodes: string[]
    }
    const cookie = cookieIn(done)
    return { id: account.id, cookie, seed, recoveryCodes, headers: { ...PAGE, cookie } }
  }
  return {
    enrol,
    person: async (organisation: string | null, role: Role): Promise<Person> => {
      const emailAddress = `person${++enrolled}.${randomUUID().slice(0, 8)}@example.org`
      const made = await enrol(organisation, emailAddress, role)
      addresses.set(made.id, { organisation, emailAddress })
      steppedUp.set(made.id, now())
      return made
    },
    addressOf: (who: Person): string => addresses.get(who.id)?.emailAddress ?? '',
    /** Shows a new code where the last one is too long ago. */
    fresh: async (who: Person): Promise<void> => {
      if (now() - (steppedUp.get(who.id) ?? 0) <= FRESH_MS) return
      const body = { code: await nextCode(who.seed) }
      const shown = await raw('POST', { as: who, target: '/v1/session/step-up', body })
      if (shown.status !== 200) throw new Error(shown.text)
      steppedUp.set(who.id, now())
    },
    /** After a session has run out. */
    signInAgain: async (who: Person): Promise<Person> => {
      const { json } = await asPage('/v1/sessions', { ...addresses.get(who.id), password })
      const second = { signIn: json['signIn'], code: await nextCode(who.seed) }
      const cookie = cookieIn(await asPage('/v1/sessions/second-factor', second))
      steppedUp.set(who.id, now())
      return { ...who, cookie, headers: { ...PAGE, cookie } }
    },
  }
}
