import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { AutomaticHolder } from '../../sdk/wallet/automatic-holder.ts'
import { createLog } from '../../src/telemetry/logger.ts'
import { createWallet, type Wallet } from '../../sdk/wallet/create-wallet.ts'
import { startReceiver } from '../../tools/flows/webhook-receiver.ts'
import { scenes } from '../../tools/vendors/people/camera.ts'
import { portrait } from '../../tools/vendors/people/portrait.ts'
import { checkingWallet } from './face-checks/checking-wallet.ts'
import { startVendors } from './face-checks/vendors.ts'
import {
  freshFolder,
  type Json,
  publishPerson,
  type RunningService,
  runningService,
  untilState,
  WAIT,
  walletOptions,
} from './running-service.ts'

type Vendors = Awaited<ReturnType<typeof startVendors>>
type Vendor = keyof Vendors['policies']

/** What is asked of a vendor in one check. */
const CALLS: Readonly<Record<Vendor, readonly string[]>> = {
  aws_rekognition: [
    'AssumeRole',
    'CreateFaceLivenessSession',
    'GetFaceLivenessSessionResults',
    'CompareFaces',
  ],
  azure_face: ['CreateSession', 'GetSession', 'DeleteSession'],
}

let vendors: Vendors
let service: RunningService
let wallet: Wallet
/** Answers whatever comes. */
let accepting: AutomaticHolder | null = null
let phone: ReturnType<typeof checkingWallet>
let receiver: Awaited<ReturnType<typeof startReceiver>>
let person: Awaited<ReturnType<typeof publishPerson>>
let connectionId = ''
let gatedTemplateId = ''
/** Every line of the log. */
const logged: string[] = []

const setPolicy = (vendor: Vendor, more: Json = {}) =>
  service.order('biometric set', {
    tenant: service.tenant,
    ...vendors.policies[vendor],
    credentialDefinitionIds: [person.definitionId],
    ...more,
  })

const imageOf = (...people: readonly string[]): string =>
  portrait({ faces: people.map((each) => ({ person: each })), bytes: 200_000 }).toString('base64')

const offer = async (image: string | null = imageOf('holder'), to = connectionId) => {
  const expiresAt = String(Math.floor(Date.now() / 1_000) + 3_600)
  const answer = await service.send('POST', '/v1/credentials/offer', {
    connectionId: to,
    credentialDefinitionId: person.definitionId,
    attributes: { name: 'Ada', age: '36', expiresAt },
    ...(image !== null && { biometric: { referenceImage: image } }),
  })
  return { ...answer, id: String(answer.json['id']) }
}

const shown = async (id: string): Promise<Json> => {
  const path = id.startsWith('cre_') ? 'credentials' : 'proofs'
  return (await service.send('GET', `/v1/${path}/${id}`)).json
}
const faceOf = async (id: string): Promise<Json> => (await shown(id))['biometric'] as Json
const untilFace = (id: string, status: string) =>
  vi.waitFor(async () => {
    const face = await faceOf(id)
    expect(face['status']).toBe(status)
    return face
  }, WAIT)
const bodiesOf = async (id: string): Promise<readonly Json[]> => {
  const told = receiver.events.filter(({ data }) => data.id === id)
  return told
    .toSorted((one, other) => one.data.sequence - other.data.sequence)
    .map(({ data }) => data as never)
}

beforeAll(async () => {
  vendors = await startVendors()
  const log = createLog({ level: 'debug', destination: { write: (line) => void logged.push(line) } })
  service = await runningService(
    { VOUCHSAFE_AWS_URL: vendors.awsUrl, VOUCHSAFE_ALLOW_PRIVATE_TARGETS: 'true' },
    freshFolder(),
    { log },
  )
  receiver = await startReceiver(() => undefined)
  const { secret } = await service.order('webhook set', {
    tenant: service.tenant,
    url: receiver.url,
    eventTypes: null,
  })
  receiver.useSecret(String(secret))
  person = await publishPerson(service)
  wallet = await createWallet(await walletOptions(service))
  accepting = new AutomaticHolder(wallet, { offers: 'accept', proofs: 'accept' }, () => undefined)
  phone = checkingWallet(wallet, vendors.capture)
  const { json } = await service.send('POST', '/v1/connections/invitations', {})
  await wallet.agent.didcomm.oob.receiveInvitationFromUrl(String(json['invitationUrl']), { label: 'Phone' })
  const path = `/v1/connections?state=completed&invitationId=${String(json['invitationId'])}`
  connectionId = await vi.waitFor(async () => {
    const [found] = ((await service.send('GET', path)).json['items'] ?? []) as Json[]
    expect(found).toBeDefined()
    return String(found?.['id'])
  }, WAIT)
  await setPolicy('aws_rekognition')
  const groups = [{ name: 'person', credentialDefinitionIds: [person.ledgerId], attributes: ['name'] }]
  const template = { tenant: service.tenant, name: 'Checked', description: null, groups, predicates: [] }
  const made = await service.order('template create', { ...template, biometricRequired: true })
  gatedTemplateId = String(made['id'])
}, 240_000)
afterAll(async () => {
  expect(accepting).not.toBeNull()
  await wallet?.close()
  await service?.app.stop()
  receiver?.close()
  await vendors?.stop()
})

describe('an account at a vendor', () => {
  it('that does not work is told in words when it is saved, and nothing is saved', async () => {
    const credentials = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'another secret' }
    await expect(setPolicy('aws_rekognition', { credentials })).rejects.toThrow(
      /The secret does not belong to the access key/,
    )
    await expect(
      setPolicy('azure_face', { credentials: { key: 'nobody’s'.replace('’', '') } }),
    ).rejects.toThrow(/Azure does not take the key/)
    const policy = await service.order('biometric show', { tenant: service.tenant })
    expect(policy).toMatchObject({ vendor: 'aws_rekognition', hasCredentials: true, matchMin: 90 })
    expect(JSON.stringify(policy)).not.toContain('wJalr')
    expect(await service.order('biometric test', { tenant: service.tenant })).toEqual({
      works: true,
      problems: [],
    })
  })

  it('cannot be taken away while a definition or a template needs it', async () => {
    await expect(
      service.order('biometric set', {
        tenant: service.tenant,
        vendor: 'none',
        credentialDefinitionIds: [person.definitionId],
      }),
    ).rejects.toThrow(new RegExp(person.definitionId))
    await expect(
      service.order('biometric set', { tenant: service.tenant, vendor: 'none', credentialDefinitionIds: [] }),
    ).rejects.toThrow(new RegExp(gatedTemplateId))
  })
})

describe.each<Vendor>(['aws_rekognition', 'azure_face'])('a credential behind a check by %s', (vendor) => {
  beforeAll(async () => {
    await setPolicy(vendor)
  }, 60_000)

  it('is issued when the check is passed, which records and events tell', async () => {
    const { status, id, json } = await offer()
    expect(status).toBe(202)
    expect(json).toMatchObject({
      biometric: { required: true, status: 'pending', attempts: 0, attemptsRemaining: 3 },
    })
    const checkId = await phone.checkOf(id)
    await untilState(service, `/v1/credentials/${id}`, 'request-received')
    await phone.attempt(checkId)
    await untilState(service, `/v1/credentials/${id}`, 'done')
    const face = await faceOf(id)
    expect(face).toMatchObject({ status: 'passed', attempts: 1, attemptsRemaining: 2, reason: null })
    expect(face['matchScore']).toBeGreaterThan(69)
    const [listed] = ((await service.send('GET', '/v1/credentials')).json['items'] ?? []) as Json[]
    expect(listed).toMatchObject({ id, biometric: face })
    await vi.waitFor(async () => expect((await bodiesOf(id)).at(-1)).toMatchObject({ state: 'done' }), WAIT)
    const told = await bodiesOf(id)
    expect(told.map(({ state, biometric }) => [state, (biometric as Json)['status']])).toEqual([
      ['offer-sent', 'pending'],
      ['request-received', 'pending'],
      ['request-received', 'passed'],
      ['credential-issued', 'passed'],
      ['done', 'passed'],
    ])
    expect(told.at(-1)?.['biometric']).toEqual(face)
    const { aws, azure } = vendors
    await vi.waitFor(async () => expect(vendor === 'azure_face' ? await azure.held() : []).toEqual([]), WAIT)
    expect(await aws.heard()).toBeDefined()
  })

  it('may be passed at the second attempt', async () => {
    const { id } = await offer()
    const checkId = await phone.checkOf(id)
    await phone.attempt(checkId, scenes.stranger)
    await phone.hears(checkId, 'again')
    expect(await faceOf(id)).toMatchObject({
      status: 'pending',
      attempts: 1,
      attemptsRemaining: 2,
      reason: 'The face does not match the reference image.',
    })
    await phone.attempt(checkId, scenes.holder)
    await untilState(service, `/v1/credentials/${id}`, 'done')
    expect(await faceOf(id)).toMatchObject({ status: 'passed', attempts: 2 })
  })

  it('is held when all attempts are used, and cancelled by the organisation', async () => {
    await setPolicy(vendor, { attemptsMax: 2 })
    const { id } = await offer()
    await setPolicy(vendor)
    const checkId = await phone.checkOf(id)
    await phone.attempt(checkId, scenes.spoof)
    await phone.hears(checkId, 'again')
    await phone.attempt(checkId, scenes.spoof)
    await phone.hears(checkId, 'over')
    expect(await untilFace(id, 'failed')).toMatchObject({
      attempts: 2,
      attemptsRemaining: 0,
      reason: 'The vendor did not find a living person.',
    })
    expect(await shown(id)).toMatchObject({ state: 'request-received' })
    const cancelled = await service.send('POST', `/v1/credentials/${id}/cancel`)
    expect(cancelled.json).toMatchObject({ state: 'abandoned', biometric: { status: 'failed' } })
  })

  it('fails for good where the image shows two faces or none', async () => {
    for (const people of [['holder', 'stranger'], []]) {
      const { id } = await offer(imageOf(...people))
      const checkId = await phone.checkOf(id)
      if (vendor === 'aws_rekognition') await phone.attempt(checkId)
      else await phone.say('begin', checkId)
      expect(await untilFace(id, 'failed')).toMatchObject({ attempts: 0, attemptsRemaining: 0 })
      await service.send('POST', `/v1/credentials/${id}/cancel`)
    }
  })

  it('is cancelled while a session runs, and nothing counts any more', async () => {
    const { id } = await offer()
    const checkId = await phone.checkOf(id)
    const session = await phone.begin(checkId)
    const cancelled = await service.send('POST', `/v1/credentials/${id}/cancel`)
    expect(cancelled.json).toMatchObject({
      state: 'abandoned',
      biometric: { status: 'cancelled', attempts: 0 },
    })
    await vendors.capture(session).catch(() => undefined)
    await phone.say('captured', checkId)
    expect(await faceOf(id)).toMatchObject({ status: 'cancelled', attempts: 0 })
  })

  it.each([
    { kind: 'throttled' },
    { kind: 'broken' },
    { kind: 'answer-lost' },
    { kind: 'truncated' },
    { kind: 'nonsense' },
    { kind: 'redirected', to: 'http://127.0.0.1:9/' },
  ] as const)('costs one attempt where each call to the vendor is $kind at first', async (how) => {
    const { id } = await offer()
    const checkId = await phone.checkOf(id)
    const { trouble, calm } = vendor === 'azure_face' ? vendors.azure : vendors.aws
    for (const operation of CALLS[vendor]) await trouble({ ...how, operations: [operation], times: 1 })
    await phone.attempt(checkId)
    await untilState(service, `/v1/credentials/${id}`, 'done')
    expect(await faceOf(id)).toMatchObject({ status: 'passed', attempts: 1, attemptsRemaining: 2 })
    await calm()
  })
})

describe('what is kept of a check', () => {
  const filesWith = (text: string | Buffer): readonly string[] =>
    readdirSync(service.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => readFileSync(file).includes(text))

  it('has neither scores nor the image in clear, and the image in no file when it is decided', async () => {
    await setPolicy('aws_rekognition')
    const image = imageOf('holder')
    const { id } = await offer(image)
    const checkId = await phone.checkOf(id)
    await untilState(service, `/v1/credentials/${id}`, 'request-received')
    const scene = { ...scenes.holder, livenessScore: 97.12345678, matchScore: 95.87654321 }
    await phone.attempt(checkId, scene)
    await untilState(service, `/v1/credentials/${id}`, 'done')
    expect(await faceOf(id)).toMatchObject({ livenessScore: 97.12345678, matchScore: 95.87654321 })
    expect([...filesWith('97.12345678'), ...filesWith('95.87654321')]).toEqual([])
    const bytes = Buffer.from(image, 'base64')
    expect([...filesWith(image.slice(0, 80)), ...filesWith(bytes.subarray(100, 160))]).toEqual([])
    const log = logged.join()
    expect(logged.length).toBeGreaterThan(0)
    for (const text of ['97.12345678', '95.87654321', image.slice(0, 80), image.slice(-80), 'wJalr'])
      expect(log).not.toContain(text)
    await vi.waitFor(() => expect(filesWith(`${checkId}/`)).toEqual([]), WAIT)
    const erased = await service.send('POST', `/v1/credentials/${id}/erase`)
    expect(erased.json).toMatchObject({
      biometric: { status: 'passed', livenessScore: null, matchScore: null, reason: null },
    })
  })
})

describe('a wallet that does not know the protocol', () => {
  it('is offered nothing behind a check, and the organisation reads why', async () => {
    await setPolicy('aws_rekognition')
    const plain = await createWallet(await walletOptions(service))
    try {
      const { json } = await service.send('POST', '/v1/connections/invitations', {})
      await plain.agent.didcomm.oob.receiveInvitationFromUrl(String(json['invitationUrl']), {
        label: 'Plain',
      })
      const path = `/v1/connections?state=completed&invitationId=${String(json['invitationId'])}`
      const of = await vi.waitFor(async () => {
        const [found] = ((await service.send('GET', path)).json['items'] ?? []) as Json[]
        expect(found).toBeDefined()
        return String(found?.['id'])
      }, WAIT)
      const { id } = await offer(imageOf('holder'), of)
      expect(await untilState(service, `/v1/credentials/${id}`, 'abandoned')).toMatchObject({
        errorMessage: 'The wallet did not do the face check.',
        biometric: { status: 'cancelled' },
      })
    } finally {
      await plain.close()
    }
  })
})

describe('an image', () => {
  it('is required, and has to be one', async () => {
    await setPolicy('aws_rekognition')
    expect(await offer(null)).toMatchObject({ status: 422, json: { error: 'biometric_reference_required' } })
    expect(await offer('x'.repeat(200))).toMatchObject({
      status: 422,
      json: { error: 'reference_image_invalid' },
    })
  })
})

describe('a proof behind a check', () => {
  it('shows neither whether it holds nor what it discloses before the check is passed', async () => {
    await setPolicy('azure_face', { credentialDefinitionIds: [] })
    const plain = await service.send('POST', '/v1/credentials/offer', {
      connectionId,
      credentialDefinitionId: person.definitionId,
      attributes: { name: 'Ada', age: '36', expiresAt: String(Math.floor(Date.now() / 1_000) + 3_600) },
    })
    expect(plain.json).toMatchObject({ biometric: null })
    await untilState(service, `/v1/credentials/${String(plain.json['id'])}`, 'done')
    const asked = await service.send('POST', '/v1/proofs/request', {
      connectionId,
      proofTemplateId: gatedTemplateId,
      biometric: { referenceImage: imageOf('holder') },
    })
    expect(asked.status).toBe(202)
    const id = String(asked.json['id'])
    await untilState(service, `/v1/proofs/${id}`, 'presentation-received')
    const checkId = await phone.checkOf(id)
    await phone.attempt(checkId, scenes.stranger)
    await phone.hears(checkId, 'again')
    expect(await shown(id)).toMatchObject({ state: 'presentation-received', verified: null, disclosed: null })
    await phone.attempt(checkId)
    expect(await untilState(service, `/v1/proofs/${id}`, 'done')).toMatchObject({
      verified: true,
      disclosed: { person: { name: 'Ada' } },
      biometric: { status: 'passed', attempts: 2 },
    })
    const told = receiver.events
      .filter(({ data }) => data.id === id)
      .map(({ data }) => data as unknown as Json)
    for (const each of told.filter(({ state }) => state !== 'done'))
      expect(each).toMatchObject({ verified: null, disclosed: null })
  })
})
