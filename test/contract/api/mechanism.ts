import { randomUUID } from 'node:crypto'
import { AskFailed } from '../../../src/ports/actors.ts'
import type { Code } from '../../../src/domain/codes.ts'
import { limits } from '../../../src/domain/limits.ts'
import type { Route } from '../../../src/http/route/route.ts'
import { type Case, type DescribedRoute, edge, refuses, type Sample } from './table.ts'
import type { Answer, Asked, World } from './world.ts'

const WITH_IMAGE = ['/v1/credentials/offer', '/v1/proofs/request']

type Way = (at: World, route: DescribedRoute, asked: Asked) => Promise<Answer>

const schemesOf = ({ operation }: DescribedRoute) => operation.security.flatMap((each) => Object.keys(each))

/** Somebody whose credential is good, and not for this. */
const strangerTo = (route: DescribedRoute, { as }: Asked): Asked['as'] => {
  const schemes = schemesOf(route)
  if (schemes.includes('walletToken')) return 'operator'
  if (schemes.includes('apiKey')) return 'wallet'
  return as === 'operator' ? 'admin' : 'key'
}

const withHandles = (at: World, name: string, handle: Route['handle']) =>
  at.through(name, ({ doorOf, served }) => doorOf(served.map((route) => ({ ...route, handle }))))

const withKey = (asked: Asked, key: string = randomUUID()): Asked => ({
  ...asked,
  headers: { ...asked.headers, 'idempotency-key': key },
})

/** Fields of bodies, and what may stand there instead. */
const others = [
  ['name', 'another'],
  ['label', 'another'],
  ['emailAddress', 'another@example.org'],
  ['role', 'viewer'],
  ['to', 'node-1'],
  ['tag', 'another'],
  ['reason', 'another'],
  ['mechanism', 'another'],
  ['eventType', 'proof.state_changed'],
  ['from', '2021-01-31T12:00:00Z'],
  [
    'items',
    [
      {
        idempotencyKey: 'another',
        connectionId: 'con_1',
        credentialDefinitionId: 'def_1',
        attributes: { expiresAt: '1924992000' },
      },
    ],
  ],
  ['moves', [{ shard: 46, from: 'node-1', to: 'node-2' }]],
] as const

/** What the mechanism answers by itself, on whichever route: shown with the route's own request. */
const ways: Partial<Record<Code, Way>> = {
  unauthorized: (at, { method }, asked) => at.raw(method, { ...asked, as: 'nobody', headers: {} }),
  forbidden: (at, route, asked) => at.ask(route.method, { ...asked, as: strangerTo(route, asked) }),
  rate_limited: async (at, { method }, asked) => {
    const as = { bearer: await at.keyWithRate(1) }
    await at.raw('GET', { as, target: '/v1/ledger' })
    return at.raw(method, { ...asked, as })
  },
  invalid_request: (at, { method }, asked) =>
    at.raw(method, { ...asked, headers: { ...asked.headers, 'idempotency-key': ['one', 'two'] } }),
  unsupported_media_type: (at, { method }, asked) =>
    at.ask(method, { ...asked, headers: { ...asked.headers, 'content-type': 'text/plain' } }),
  idempotency_key_reused: async (at, { method }, asked) => {
    const key = randomUUID()
    await at.ask(method, withKey(asked, key))
    const sent = asked.body as Readonly<Record<string, unknown>>
    const [field, value] = others.find(([name]) => name in sent) ?? ['externalId', 'another']
    return at.ask(method, { ...withKey(asked, key), body: { ...sent, [field]: value } })
  },
  idempotency_in_progress: async (at, { method }, asked) => {
    await at.ask('GET', { as: asked.as, target: '/v1/ledger' })
    const same = withKey(asked)
    const answers = await Promise.all(Array.from({ length: 20 }, () => at.raw(method, same)))
    return answers.find(({ status }) => status === 409) ?? (answers[0] as Answer)
  },
  internal: async (at, { method }, asked) => {
    const send = await withHandles(at, 'internal', () => {
      throw new Error('something that nobody outside must read')
    })
    const answer = await send(method, asked)
    return answer.text.includes('nobody outside') ? { ...answer, status: 0 } : answer
  },
  unavailable: async (at, { method }, asked) => {
    const send = await withHandles(at, 'unavailable', () => {
      throw new AskFailed('unavailable', 'the store is away', 1_000)
    })
    return send(method, asked)
  },
  overloaded: async (at, { method }, asked) =>
    (await at.through('overloaded', ({ doorOf, served }) => doorOf(served, 0)))(method, asked),
}

/** A body that nobody asked for is not read beyond what any request may have. */
const unwantedBody = (route: DescribedRoute, sample: Sample): Case =>
  refuses(route.name, 'payload_too_large', async (at) =>
    at.ask(route.method, { ...askedOf(route, await sample(at)), body: ' '.repeat(limits.bodyBytesMax + 1) }),
  )

/** One byte more than the route takes, and exactly what it takes; a reference image comes on top of that. */
const bodySize = (route: DescribedRoute, sample: Sample): Case => ({
  route: route.name,
  shows: 'payload_too_large',
  run: async (at) => {
    const asked = askedOf(route, await sample(at))
    const image = WITH_IMAGE.includes(route.path) ? 'x'.repeat(limits.referenceImageCharactersMax) : ''
    const body = { ...(asked.body as object), ...(image !== '' && { biometric: { referenceImage: image } }) }
    const text = JSON.stringify(body)
    const padded = (bytes: number) =>
      text.slice(0, -1) + ' '.repeat(bytes + image.length - text.length) + text.slice(-1)
    return {
      accepted: await at.ask(route.method, { ...asked, body: padded(limits.bodyBytesMax) }),
      refused: await at.ask(route.method, { ...asked, body: padded(limits.bodyBytesMax + 1) }),
      as: 'payload_too_large',
    }
  },
})

/** Half a character in the first text of the body, or where there is none, in a name. */
const wholeTexts = (route: DescribedRoute, sample: Sample): Case =>
  edge(route.name, 'texts are whole', async (at) => {
    const accepted = await at.ask(route.method, askedOf(route, await sample(at)))
    const another = await sample(at)
    const body = another.body as Readonly<Record<string, unknown>>
    const field = Object.keys(body).find((name) => typeof body[name] === 'string')
    const broken = { ...body, [field ?? '\ud800']: '\ud800' }
    return {
      accepted,
      refused: await at.ask(route.method, askedOf(route, { ...another, body: broken })),
      as: 'invalid_request',
      names: field ?? 'the body',
    }
  })

export const askedOf = ({ path }: DescribedRoute, sample: Awaited<ReturnType<Sample>>): Asked => ({
  target: path,
  ...sample,
})

/** Cases that no route has to write for itself. */
export const mechanismCases = (route: DescribedRoute, sample: Sample): readonly Case[] => {
  const success: Case = {
    route: route.name,
    shows: 'success',
    run: async (at) => at.ask(route.method, askedOf(route, await sample(at))),
  }
  const common = route.codes.flatMap((code) => {
    const way = ways[code]
    if (way === undefined) return []
    return [refuses(route.name, code, async (at) => way(at, route, askedOf(route, await sample(at))))]
  })
  const withBody =
    route.operation.requestBody === undefined
      ? [unwantedBody(route, sample)]
      : [bodySize(route, sample), wholeTexts(route, sample)]
  return [success, ...common, ...withBody]
}
