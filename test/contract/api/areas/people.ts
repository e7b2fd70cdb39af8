import { randomUUID } from 'node:crypto'
import { type RosterCommand, rosterOf } from '../../../../src/actors/roster/rules.ts'
import { limits } from '../../../../src/domain/limits.ts'
import { allowed } from '../../../actors/account/accounts-world.ts'
import { type Case, edge, refuses, type Samples } from '../table.ts'
import type { Answer, Json, World } from '../world.ts'

const KINDS = [
  { path: '/v1/members', as: 'admin', order: { role: 'viewer' } },
  { path: '/v1/operator/operators', as: 'operator', order: {} },
] as const
type Kind = (typeof KINDS)[number]

const FIRST = 'POST /v1/operator/tenants/{id}/administrators'
const administratorsOf = (organisation: string): string =>
  `/v1/operator/tenants/${organisation}/administrators`
const inviteFirst = (at: World, organisation: string, emailAddress = newAddress()): Promise<Answer> =>
  at.ask('POST', { as: 'operator', target: administratorsOf(organisation), body: { emailAddress } })

let invited = 0
/** Other runs have others on the same service. */
const thisRun = randomUUID().slice(0, 8)
const newAddress = (): string => `new${++invited}.${thisRun}@example.org`
const invite = (at: World, { path, as, order }: Kind): Promise<Answer> =>
  at.ask('POST', { as, target: path, body: { emailAddress: newAddress(), ...order } })
const invitedIn = async (at: World, kind: Kind): Promise<string> =>
  `${kind.path}/${String((await invite(at, kind)).json['id'])}`

const samplesOf = (kind: Kind): Samples => ({
  [`GET ${kind.path}`]: () => ({ as: kind.as }),
  [`POST ${kind.path}`]: () => ({
    as: kind.as,
    body: { emailAddress: newAddress(), ...kind.order },
  }),
  [`GET ${kind.path}/{id}`]: async (at: World) => ({ as: kind.as, target: await invitedIn(at, kind) }),
  [`DELETE ${kind.path}/{id}`]: async (at: World) => ({ as: kind.as, target: await invitedIn(at, kind) }),
})

export const peopleSamples: Samples = {
  ...samplesOf(KINDS[0]),
  ...samplesOf(KINDS[1]),
  [FIRST]: async (at) => ({
    as: 'operator',
    target: administratorsOf(await at.newTenant()),
    body: { emailAddress: newAddress() },
  }),
  'POST /v1/members/{id}': async (at) => ({
    as: 'admin',
    target: await invitedIn(at, KINDS[0]),
    body: { role: 'admin' },
  }),
}

/** As many as there may be, less those who are there; they go again afterwards. */
const crowded = async (
  at: World,
  realm: string | null,
  run: () => Promise<Answer>,
): Promise<readonly [Answer, Answer]> => {
  const { actors } = at.inside('an organisation with five hundred people').api.service
  const role = realm === null ? 'operator' : 'viewer'
  const tell = (command: RosterCommand): Promise<unknown> =>
    actors.ask(rosterOf(realm), command, { commandId: `crowd ${++invited}`, tenant: null })
  const { length } = allowed(await actors.read(rosterOf(realm)))
  const crowd = Array.from({ length: limits.membersMax - 1 - length }, (_, index) => `acc_00crowd${index}`)
  for (const account of crowd) await tell({ type: 'ListAccount', account, address: account, role })
  const answers = [await run(), await run()] as const
  for (const account of crowd) await tell({ type: 'UnlistAccount', account })
  return answers
}

const casesOf = (kind: Kind): readonly Case[] => {
  const { path, as, order } = kind
  const realmIn = (at: World): string | null => (as === 'operator' ? null : at.tenant)
  const again = async (at: World): Promise<Answer> => {
    const body: Json = { emailAddress: at.emailAddressOf(as), ...order }
    return at.ask('POST', { as, target: path, body })
  }
  return [
    refuses(`POST ${path}`, 'already_member', again),
    refuses(`POST ${path}`, 'step_up_required', async (at) => {
      const who = await at.stale(as)
      return at.raw('POST', { as: who, target: path, body: { emailAddress: 'late@example.org', ...order } })
    }),
    refuses(`DELETE ${path}/{id}`, 'step_up_required', async (at) => {
      const who = await at.stale(as)
      return at.raw('DELETE', { as: who, target: `${path}/${who.id}` })
    }),
    edge(`POST ${path}`, `${limits.membersMax} people`, async (at) => {
      const [accepted, refused] = await crowded(at, realmIn(at), () => invite(at, kind))
      return { accepted, refused, as: 'members_too_many' }
    }),
    refuses(`POST ${path}`, 'members_too_many', async (at) => {
      const [, refused] = await crowded(at, realmIn(at), () => invite(at, kind))
      return refused
    }),
    edge(`POST ${path}`, 'an e-mail address', async (at) => ({
      accepted: await invite(at, kind),
      refused: await at.ask('POST', { as, target: path, body: { emailAddress: 'nobody', ...order } }),
      as: 'invalid_request',
    })),
    ...(['GET', 'DELETE'] as const).map((method) =>
      refuses(`${method} ${path}/{id}`, 'not_found', (at) =>
        at.ask(method, { as, target: `${path}/acc_00bbbbbbbbbb` }),
      ),
    ),
    refuses(`DELETE ${path}/{id}`, 'last_administrator', (at) =>
      at.onlyOne(as, (who) => at.raw('DELETE', { as: who, target: `${path}/${who.id}` })),
    ),
  ]
}

export const peopleCases: readonly Case[] = [
  ...KINDS.flatMap(casesOf),
  refuses(FIRST, 'not_found', (at) => inviteFirst(at, 'ten_00bbbbbbbbbb')),
  refuses(FIRST, 'has_administrator', async (at) => {
    const organisation = await at.newTenant()
    await at.person(organisation, 'admin')
    return inviteFirst(at, organisation)
  }),
  refuses(FIRST, 'already_member', async (at) => {
    const [organisation, viewer] = [await at.newTenant(), newAddress()]
    await at.enrol(organisation, viewer, 'viewer')
    return inviteFirst(at, organisation, viewer)
  }),
  refuses(FIRST, 'members_too_many', async (at) => {
    const organisation = await at.newTenant()
    const [, refused] = await crowded(at, organisation, () => inviteFirst(at, organisation))
    return refused
  }),
  refuses(FIRST, 'step_up_required', async (at) => {
    const target = administratorsOf(await at.newTenant())
    return at.raw('POST', { as: await at.stale('operator'), target, body: { emailAddress: newAddress() } })
  }),
  refuses('POST /v1/members', 'not_found', (at) =>
    at.gone('POST', '/v1/members', { emailAddress: 'a@example.org', role: 'viewer' }),
  ),
  refuses('POST /v1/members/{id}', 'step_up_required', async (at) => {
    const who = await at.stale()
    return at.raw('POST', { as: who, target: `/v1/members/${who.id}`, body: { role: 'viewer' } })
  }),
  refuses('POST /v1/members/{id}', 'not_found', (at) =>
    at.ask('POST', { as: 'admin', target: '/v1/members/acc_00bbbbbbbbbb', body: { role: 'viewer' } }),
  ),
  refuses('POST /v1/members/{id}', 'last_administrator', (at) =>
    at.onlyOne('admin', (who) =>
      at.raw('POST', { as: who, target: `/v1/members/${who.id}`, body: { role: 'viewer' } }),
    ),
  ),
]
