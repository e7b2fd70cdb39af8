import { limits } from '../../../../src/domain/limits.ts'
import { type Case, edge, refuses, type RouteName, type Samples } from '../table.ts'
import { gatedCases } from './biometric.ts'
import type { Answer, Json, World } from '../world.ts'

const OFFER = '/v1/credentials/offer'
const REQUEST = '/v1/proofs/request'
const inAnHour = ({ now }: World): string => String(Math.floor(now() / 1_000) + 3_600)
const attributesOf = (at: World): Json => ({ name: 'Ada', expiresAt: inAnHour(at) })
/** Ignored where no policy asks for it. */
const biometric = { referenceImage: 'x'.repeat(100) }
const offerOf = (at: World, more: Json = {}) => {
  const { connectionId, definitionId: credentialDefinitionId } = at
  return { connectionId, credentialDefinitionId, attributes: attributesOf(at), biometric, ...more }
}
const requestOf = ({ connectionId, templateId: proofTemplateId }: World, more: Json = {}) => ({
  connectionId,
  proofTemplateId,
  biometric,
  ...more,
})
const offered = (at: World) => at.post(OFFER, offerOf(at))
const asked = (at: World) => at.post(REQUEST, requestOf(at))

/** What can be ended and erased: the path of its list, and how a new one comes to be. */
const ENDED = [
  ['/v1/credentials', offered, 'cre_00bbbbbbbbbb'],
  ['/v1/proofs', asked, 'pro_00bbbbbbbbbb'],
] as const
const running = async (at: World, [path, begin]: (typeof ENDED)[number]): Promise<string> =>
  `${path}/${String((await begin(at))['id'])}`
const cancelled = async (at: World, each: (typeof ENDED)[number]): Promise<string> => {
  const path = await running(at, each)
  await at.post(`${path}/cancel`, undefined)
  return path
}
const endingSamples: Samples = Object.fromEntries(
  ENDED.flatMap((each) => [
    [
      `POST ${each[0]}/{id}/cancel`,
      async (at: World) => ({ as: 'key', target: `${await running(at, each)}/cancel` }),
    ],
    [
      `GET ${each[0]}/{id}/timeline`,
      async (at: World) => ({ as: 'key', target: `${await cancelled(at, each)}/timeline` }),
    ],
    [
      `POST ${each[0]}/{id}/erase`,
      async (at: World) => ({ as: 'key', target: `${await cancelled(at, each)}/erase` }),
    ],
  ]),
)

const ERASE_CONNECTION = '/v1/connections/{id}/erase'

export const exchangeSamples: Samples = {
  'POST /v1/connections/invitations': () => ({ as: 'key', body: { multiUse: true } }),
  'GET /v1/connections': () => ({ as: 'key' }),
  'GET /v1/connections/{id}': ({ connectionId }) => ({
    as: 'key',
    target: `/v1/connections/${connectionId}`,
  }),
  'GET /v1/connections/{id}/timeline': ({ connectionId }) => ({
    as: 'key',
    target: `/v1/connections/${connectionId}/timeline`,
  }),
  [`POST ${OFFER}`]: (at) => ({ as: 'key', body: offerOf(at) }),
  'GET /v1/credentials': () => ({ as: 'key' }),
  'GET /v1/credentials/{id}': async (at) => ({
    as: 'key',
    target: `/v1/credentials/${String((await offered(at))['id'])}`,
  }),
  [`POST ${REQUEST}`]: (at) => ({ as: 'key', body: requestOf(at) }),
  'GET /v1/proofs': () => ({ as: 'key' }),
  'GET /v1/proofs/{id}': async (at) => ({
    as: 'key',
    target: `/v1/proofs/${String((await asked(at))['id'])}`,
  }),
  ...endingSamples,
  [`POST ${ERASE_CONNECTION}`]: async (at) => ({
    as: 'key',
    target: `/v1/connections/${await at.waitingConnection()}/erase`,
  }),
  'GET /v1/erasures': () => ({ as: 'key' }),
}

const offerWith = (at: World, more: Json): Promise<Answer> =>
  at.ask('POST', { as: 'key', target: OFFER, body: offerOf(at, more) })
const attributesWith = (at: World, more: Json): Promise<Answer> =>
  offerWith(at, { attributes: { ...attributesOf(at), ...more } })

/** The image as it stands between its quotes. */
const offerWithImage = (at: World, image: string): Promise<Answer> => {
  const body = JSON.stringify(offerOf(at, { biometric: { referenceImage: '' } })).replace('""', `"${image}"`)
  return at.ask('POST', { as: 'key', target: OFFER, body })
}

/** A published definition of a schema with these attributes. */
const definitionOf = (at: World, names: readonly string[]): Promise<string> =>
  at.publish([...names, 'expiresAt'])
const named = (count: number, length = 3): readonly string[] =>
  Array.from({ length: count }, (_, index) => String(index).padEnd(length, 'n'))
const values = (names: readonly string[], value: string): Json =>
  Object.fromEntries(names.map((name) => [name, value]))

const notReady = async (at: World): Promise<string> => at.waitingConnection()

const offerRefusals: readonly Case[] = [
  refuses(`POST ${OFFER}`, 'connection_not_found', (at) =>
    offerWith(at, { connectionId: 'con_00bbbbbbbbbb' }),
  ),
  refuses(`POST ${OFFER}`, 'credential_definition_not_found', (at) =>
    offerWith(at, { credentialDefinitionId: 'def_00bbbbbbbbbb' }),
  ),
  edge(`POST ${OFFER}`, 'a definition by its name on this network, and on another', async (at) => {
    const shown = await at.ask('GET', { as: 'key', target: '/v1/credential-definitions' })
    const { qualifiedId } = (shown.json['items'] as Json[]).find(({ id }) => id === at.definitionId) ?? {}
    const on = (name: string) => offerWith(at, { credentialDefinitionId: name })
    const elsewhere = String(qualifiedId).replace('did:indy:sandbox:', 'did:indy:sovrin:')
    return {
      accepted: await on(String(qualifiedId)),
      refused: await on(elsewhere),
      as: 'credential_definition_not_found',
    }
  }),
  refuses(`POST ${OFFER}`, 'connection_not_ready', async (at) =>
    offerWith(at, { connectionId: await notReady(at) }),
  ),
  refuses(`POST ${OFFER}`, 'credential_definition_not_published', async (at) =>
    offerWith(at, { credentialDefinitionId: await at.unpublishedDefinition() }),
  ),
  refuses(`POST ${OFFER}`, 'invalid_request', (at) => attributesWith(at, { name: '+5' })),
  refuses(`POST ${OFFER}`, 'attributes_mismatch', (at) => attributesWith(at, { surname: 'x' })),
  refuses(`POST ${OFFER}`, 'expires_at_required', (at) => offerWith(at, { attributes: { name: 'Ada' } })),
  refuses(`POST ${OFFER}`, 'expires_at_invalid', (at) => attributesWith(at, { expiresAt: 'tomorrow' })),
  refuses(`POST ${OFFER}`, 'attributes_too_many', (at) =>
    offerWith(at, { attributes: values(named(126), 'x') }),
  ),
  refuses(`POST ${OFFER}`, 'attribute_name_too_long', (at) => attributesWith(at, { ['n'.repeat(101)]: 'x' })),
  refuses(`POST ${OFFER}`, 'attribute_value_too_large', (at) =>
    attributesWith(at, { name: 'x'.repeat(4_097) }),
  ),
  refuses(`POST ${OFFER}`, 'attributes_too_large', (at) =>
    offerWith(at, { attributes: values(named(17), 'x'.repeat(4_000)) }),
  ),
]

const offerEdges: readonly Case[] = [
  edge(`POST ${OFFER}`, 'names with an end of a line have values like all others', async (at) => ({
    accepted: await attributesWith(at, { 'sur\nname': 'x' }),
    refused: await attributesWith(at, { 'sur\nname': 5 }),
    as: 'invalid_request',
    orElse: 'attributes_mismatch',
    names: 'attributes',
  })),
  edge(`POST ${OFFER}`, '125 attributes', async (at) => {
    const names = named(124)
    const credentialDefinitionId = await definitionOf(at, names)
    const attributes = { ...values(names, 'x'), expiresAt: inAnHour(at) }
    return {
      accepted: await offerWith(at, { credentialDefinitionId, attributes }),
      refused: await offerWith(at, { credentialDefinitionId, attributes: { ...attributes, more: 'x' } }),
      as: 'attributes_too_many',
    }
  }),
  edge(`POST ${OFFER}`, 'a name of 100 characters', async (at) => {
    const name = 'n'.repeat(100)
    const credentialDefinitionId = await definitionOf(at, [name])
    const of = (each: string) => ({
      credentialDefinitionId,
      attributes: { [each]: 'x', expiresAt: inAnHour(at) },
    })
    return {
      accepted: await offerWith(at, of(name)),
      refused: await offerWith(at, of(`${name}n`)),
      as: 'attribute_name_too_long',
    }
  }),
  edge(`POST ${OFFER}`, '1,000 properties', async (at) => ({
    // Five properties are no attributes.
    accepted: await offerWith(at, { attributes: values(named(limits.bodyPropertiesMax - 5), 'x') }),
    refused: await offerWith(at, { attributes: values(named(limits.bodyPropertiesMax - 4), 'x') }),
    as: 'invalid_request',
    orElse: 'attributes_too_many',
  })),
  edge(`POST ${OFFER}`, 'an image of 7,000,000 characters', async (at) => ({
    // As PHP writes them.
    accepted: await offerWithImage(at, '\\/'.repeat(1_000).padEnd(7_001_000, 'x')),
    refused: await offerWithImage(at, '\\/'.repeat(1_000).padEnd(7_001_001, 'x')),
    as: 'invalid_request',
    names: 'biometric.referenceImage',
  })),
  edge(`POST ${OFFER}`, 'a value of 4 KB', async (at) => ({
    accepted: await attributesWith(at, { name: 'ä'.repeat(2_048) }),
    refused: await attributesWith(at, { name: `${'ä'.repeat(2_048)}x` }),
    as: 'attribute_value_too_large',
  })),
  edge(`POST ${OFFER}`, '64 KB of names and values', async (at) => {
    const names = named(16)
    const credentialDefinitionId = await definitionOf(at, names)
    const expiresAt = inAnHour(at)
    const rest = 65_536 - names.length * 3 - 'expiresAt'.length - expiresAt.length
    const sizes = names.map((_, index) => Math.floor(rest / 16) + (index < rest % 16 ? 1 : 0))
    const of = (more: number) => {
      const filled = names.map((name, index) => [
        name,
        'x'.repeat((sizes[index] ?? 0) + (index === 15 ? more : 0)),
      ])
      return { credentialDefinitionId, attributes: { ...(Object.fromEntries(filled) as Json), expiresAt } }
    }
    return {
      accepted: await offerWith(at, of(0)),
      refused: await offerWith(at, of(1)),
      as: 'attributes_too_large',
    }
  }),
  edge(`POST ${OFFER}`, 'expiresAt of 32 bits', async (at) => ({
    accepted: await attributesWith(at, { expiresAt: '2147483647' }),
    refused: await attributesWith(at, { expiresAt: '2147483648' }),
    as: 'expires_at_invalid',
  })),
  edge(`POST ${OFFER}`, 'expiresAt in the future', async (at) => {
    const seconds = Math.floor(at.now() / 1_000)
    return {
      accepted: await attributesWith(at, { expiresAt: String(seconds + 60) }),
      refused: await attributesWith(at, { expiresAt: String(seconds) }),
      as: 'expires_at_invalid',
    }
  }),
]

const proofRefusals: readonly Case[] = [
  refuses(`POST ${REQUEST}`, 'connection_not_found', (at) =>
    at.ask('POST', { as: 'key', target: REQUEST, body: requestOf(at, { connectionId: 'con_00bbbbbbbbbb' }) }),
  ),
  refuses(`POST ${REQUEST}`, 'proof_template_not_found', (at) =>
    at.ask('POST', {
      as: 'key',
      target: REQUEST,
      body: requestOf(at, { proofTemplateId: 'tpl_00bbbbbbbbbb' }),
    }),
  ),
  refuses(`POST ${REQUEST}`, 'connection_not_ready', async (at) =>
    at.ask('POST', { as: 'key', target: REQUEST, body: requestOf(at, { connectionId: await notReady(at) }) }),
  ),
]

const endings: readonly Case[] = ENDED.flatMap((each) => {
  const [path, , unknown] = each
  const post = (at: World, target: string) => at.ask('POST', { as: 'key', target })
  return [
    refuses(`POST ${path}/{id}/cancel`, 'not_found', (at) => post(at, `${path}/${unknown}/cancel`)),
    refuses(`POST ${path}/{id}/cancel`, 'exchange_over', async (at) =>
      post(at, `${await cancelled(at, each)}/cancel`),
    ),
    refuses(`POST ${path}/{id}/erase`, 'not_found', (at) => post(at, `${path}/${unknown}/erase`)),
    refuses(`POST ${path}/{id}/erase`, 'exchange_running', async (at) =>
      post(at, `${await running(at, each)}/erase`),
    ),
  ]
})

const LISTS = ['/v1/connections', '/v1/credentials', '/v1/proofs'] as const
const times: readonly Case[] = [...LISTS, '/v1/erasures' as const].flatMap((target) =>
  ['from', 'to'].map((field) =>
    edge(`GET ${target}`, `${field} is a date-time with Z or an offset`, async (at) => ({
      accepted: await at.ask('GET', { as: 'key', target: `${target}?${field}=2026-01-31T12:00:00+01:00` }),
      refused: await at.ask('GET', { as: 'key', target: `${target}?${field}=2026-01-31T12:00:00` }),
      as: 'invalid_request',
    })),
  ),
)

const unknownIds: readonly Case[] = LISTS.flatMap((target) =>
  ['', '/timeline'].map((behind) =>
    refuses(`GET ${target}/{id}${behind}` as RouteName, 'not_found', (at) =>
      at.ask('GET', {
        as: 'key',
        target: `${target}/${target === '/v1/connections' ? 'con' : target === '/v1/proofs' ? 'pro' : 'cre'}_00bbbbbbbbbb${behind}`,
      }),
    ),
  ),
)

export const exchangeCases: readonly Case[] = [
  ...offerRefusals,
  ...offerEdges,
  ...proofRefusals,
  ...gatedCases,
  ...endings,
  refuses(`POST ${ERASE_CONNECTION}`, 'not_found', (at) =>
    at.ask('POST', { as: 'key', target: '/v1/connections/con_00bbbbbbbbbb/erase' }),
  ),
  ...times,
  ...unknownIds,
  refuses('POST /v1/connections/invitations', 'organisation_not_ready', async (at) =>
    at.ask('POST', {
      as: { bearer: await at.keyOfUnready() },
      target: '/v1/connections/invitations',
      body: {},
    }),
  ),
]
