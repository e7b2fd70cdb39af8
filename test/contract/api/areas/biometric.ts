import { policyOf } from '../../../../src/actors/biometric-policy/rules.ts'
import { portrait } from '../../../../tools/vendors/people/portrait.ts'
import { type Case, edge, refuses, type Samples } from '../table.ts'
import type { Answer, Json, World } from '../world.ts'

const BIOMETRIC = '/v1/biometric'
const TEMPLATES = '/v1/proof-templates'
const OFFER = '/v1/credentials/offer'
const REQUEST = '/v1/proofs/request'

/** Nothing is behind a check by it, so nobody else notices. */
const policyWith = (more: Json = {}): Json => ({ vendor: 'sandbox', credentialDefinitionIds: [], ...more })

const NO_VENDOR: Json = { vendor: 'none', credentialDefinitionIds: [] }

const set = (at: World, body: Json): Promise<Answer> => {
  at.inside('the sandbox of face checks')
  return at.ask('PUT', { as: 'admin', target: BIOMETRIC, body })
}

export const biometricSamples: Samples = {
  [`GET ${BIOMETRIC}`]: () => ({ as: 'admin' }),
  [`PUT ${BIOMETRIC}`]: (at) => {
    at.inside('the sandbox of face checks')
    return { as: 'admin', body: policyWith({ settings: { region: 'eu-west-1' }, credentials: { key: 'x' } }) }
  },
  [`POST ${BIOMETRIC}/test`]: async (at) => {
    await set(at, policyWith())
    return { as: 'admin' }
  },
}

const template = (at: World, more: Json): Promise<Answer> =>
  at.ask('POST', { as: 'admin', target: TEMPLATES, body: { name: 'Entry', groups: at.groups, ...more } })

/** No proof is requested with it any more, so it holds up no policy. */
const archived = async (at: World, { json }: Answer): Promise<void> => {
  await at.ask('POST', { as: 'admin', target: `${TEMPLATES}/${String(json['id'])}/archive` })
}

export const biometricCases: readonly Case[] = [
  refuses(`PUT ${BIOMETRIC}`, 'step_up_required', async (at) =>
    at.raw('PUT', { as: await at.stale(), target: BIOMETRIC, body: policyWith() }),
  ),
  refuses(`PUT ${BIOMETRIC}`, 'credential_definition_not_found', (at) =>
    set(at, policyWith({ credentialDefinitionIds: ['def_00bbbbbbbbbb'] })),
  ),
  refuses(`PUT ${BIOMETRIC}`, 'biometric_setup_invalid', (at) =>
    set(at, { vendor: 'azure_face', settings: { endpoint: 'nowhere' }, credentials: { key: 'x' } }),
  ),
  edge(`PUT ${BIOMETRIC}`, 'no score of liveness at Azure', async (at) => ({
    accepted: await set(at, policyWith({ livenessMin: 80 })),
    refused: await set(at, { vendor: 'azure_face', livenessMin: 80 }),
    as: 'invalid_request',
    names: 'livenessMin',
  })),
  edge(`PUT ${BIOMETRIC}`, 'a vendor as long as a template needs one', async (at) => {
    await set(at, policyWith())
    const gated = await template(at, { biometricRequired: true })
    const refused = await set(at, NO_VENDOR)
    await archived(at, gated)
    return { accepted: await set(at, NO_VENDOR), refused, as: 'invalid_request', names: 'vendor' }
  }),
  edge(`PUT ${BIOMETRIC}`, 'definitions behind a check only with a vendor', async (at) => {
    const refused = await set(at, {
      vendor: 'none',
      credentialDefinitionIds: [await at.publish(['name', 'expiresAt'])],
    })
    return { accepted: await set(at, policyWith()), refused, as: 'invalid_request' }
  }),
  edge(`PUT ${BIOMETRIC}`, 'definitions taken from behind a check by name', async (at) => {
    const definition = await at.publish(['name', 'expiresAt'])
    await set(at, policyWith({ credentialDefinitionIds: [definition] }))
    const refused = await set(at, { vendor: 'none' })
    return { accepted: await set(at, NO_VENDOR), refused, as: 'invalid_request', names: definition }
  }),
  refuses(`POST ${BIOMETRIC}/test`, 'not_found', async (at) => {
    await set(at, NO_VENDOR)
    return at.ask('POST', { as: 'admin', target: `${BIOMETRIC}/test` })
  }),
]

const image = (bytes = 1_000): string =>
  portrait({ faces: [{ person: 'holder' }], bytes: Math.max(bytes, 4_000) }).toString('base64')

/** An offer of a definition of its own that is behind a check. */
const gatedOffer = async (at: World, biometric: Json | null): Promise<Answer> => {
  const credentialDefinitionId = await at.publish(['name', 'expiresAt'])
  await set(at, policyWith({ credentialDefinitionIds: [credentialDefinitionId] }))
  const attributes = { name: 'Ada', expiresAt: String(Math.floor(at.now() / 1_000) + 3_600) }
  const { connectionId } = at
  const body = { connectionId, credentialDefinitionId, attributes, ...(biometric !== null && { biometric }) }
  return at.ask('POST', { as: 'key', target: OFFER, body })
}

const gatedRequest = async (
  at: World,
  biometric: Json | null,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<Answer> => {
  await set(at, policyWith())
  const gated = await template(at, { biometricRequired: true })
  await meanwhile()
  const { connectionId } = at
  const body = { connectionId, proofTemplateId: gated.json['id'], ...(biometric !== null && { biometric }) }
  const answer = await at.ask('POST', { as: 'key', target: REQUEST, body })
  await archived(at, gated)
  return answer
}

/** As by a template that is saved while the vendor is taken away. */
const withoutVendor = async (at: World): Promise<void> => {
  const { service } = at.inside('a record in a state that takes days or a fault').api
  const settings = { settings: {}, livenessMin: 80, matchMin: 90, attemptsMax: 3, windowMinutes: 30 }
  await service.actors.ask(
    policyOf(at.tenant),
    {
      type: 'SetBiometricPolicy',
      atMs: at.now(),
      tenant: at.tenant,
      vendor: 'none',
      ...settings,
      credentialDefinitionIds: [],
      sealedCredentials: null,
    },
    { commandId: `without a vendor ${at.now()}`, tenant: at.tenant },
  )
}

export const gatedCases: readonly Case[] = [
  refuses(`POST ${OFFER}`, 'biometric_reference_required', (at) => gatedOffer(at, null)),
  refuses(`POST ${OFFER}`, 'reference_image_invalid', (at) =>
    gatedOffer(at, { referenceImage: 'x'.repeat(100) }),
  ),
  edge(`POST ${OFFER}`, 'one whole picture', async (at) => ({
    accepted: await gatedOffer(at, { referenceImage: image(200_000) }),
    refused: await gatedOffer(at, { referenceImage: image().slice(0, 400) }),
    as: 'reference_image_invalid',
    names: 'biometric.referenceImage',
  })),
  refuses(`POST ${REQUEST}`, 'biometric_reference_required', (at) => gatedRequest(at, null)),
  refuses(`POST ${REQUEST}`, 'reference_image_invalid', (at) =>
    gatedRequest(at, { referenceImage: 'x'.repeat(100) }),
  ),
  edge(`POST ${REQUEST}`, 'one whole picture', async (at) => ({
    accepted: await gatedRequest(at, { referenceImage: image(200_000) }),
    refused: await gatedRequest(at, { referenceImage: image(200_000).slice(0, 160_000) }),
    as: 'reference_image_invalid',
    names: 'biometric.referenceImage',
  })),
  refuses(`POST ${REQUEST}`, 'biometric_vendor_missing', (at) =>
    gatedRequest(at, { referenceImage: image() }, () => withoutVendor(at)),
  ),
]

const withTemplate = async (at: World, run: () => Promise<Answer>): Promise<Answer> => {
  await set(at, NO_VENDOR)
  return run()
}

export const gatedTemplateCases: readonly Case[] = [
  refuses(`POST ${TEMPLATES}`, 'biometric_vendor_missing', (at) =>
    withTemplate(at, () => template(at, { biometricRequired: true })),
  ),
  refuses(`PATCH ${TEMPLATES}/{id}`, 'biometric_vendor_missing', async (at) => {
    const { json } = await template(at, {})
    const target = `${TEMPLATES}/${String(json['id'])}`
    const body = { biometricRequired: true }
    return withTemplate(at, () => at.ask('PATCH', { as: 'admin', target, body }))
  }),
]
