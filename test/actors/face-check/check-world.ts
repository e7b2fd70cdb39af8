import { biometricPolicyKind } from '../../../src/actors/biometric-policy/index.ts'
import { readPolicy, sealCredentials } from '../../../src/actors/biometric-policy/account.ts'
import { policyOf, type PolicySettings } from '../../../src/actors/biometric-policy/rules.ts'
import { credential } from '../../../src/actors/credential/rules.ts'
import { createChecked } from '../../../src/actors/face-check/begin.ts'
import { ImageRoom } from '../../../src/actors/face-check/image-room.ts'
import { faceCheckKind } from '../../../src/actors/face-check/index.ts'
import { faceCheck } from '../../../src/actors/face-check/rules.ts'
import { proof } from '../../../src/actors/proof/rules.ts'
import { isRefused } from '../../../src/domain/decider.ts'
import { OWN_PREFIX, PREFIX } from '../../../src/domain/message-prefix.ts'
import {
  connect,
  connectionId,
  credentialId,
  exchangeWorld,
  issuing,
  proofId,
  tenant,
} from '../exchange-world.ts'
import { jpeg } from '../../biometric/pictures.ts'
import { PlayedVendor } from './played-vendor.ts'

export const checkId = 'fck_00aaaaaaaa'
export const IMAGE = jpeg()

/** Exchanges behind a face check, on a real host; the vendor is played. */
export const checkWorld = async (vendor = new PlayedVendor()) => {
  const faceVendors = { aws_rekognition: vendor }
  const at = await exchangeWorld({ kinds: [biometricPolicyKind, faceCheckKind], ports: { faceVendors } })
  await connect(at)
  const { actors, runtime, vault, bodies } = at
  const imageRoom = new ImageRoom(100_000_000, () => runtime.now())
  const ports = { actors, runtime, vault, bodies, faceVendors, imageRoom }
  const setPolicy = async (change: Partial<PolicySettings> = {}, credentials = { key: 'a key' }) => {
    const settings: PolicySettings = {
      tenant,
      vendor: 'aws_rekognition',
      settings: { region: 'eu-west-1' },
      livenessMin: 80,
      matchMin: 90,
      attemptsMax: 3,
      windowMinutes: 30,
      credentialDefinitionIds: [issuing.catalogueId],
      ...change,
    }
    const sealedCredentials = await sealCredentials(ports, tenant, credentials)
    const atMs = runtime.now()
    return at.ask(policyOf(tenant), { type: 'SetBiometricPolicy', atMs, ...settings, sealedCredentials })
  }
  await setPolicy()
  const policy = async () => {
    const found = await readPolicy(ports, tenant)
    if (found === null) throw new Error('there is no policy')
    return found
  }
  const order = (image: Buffer | null = IMAGE) => ({
    tenant,
    connectionId,
    referenceImage: image?.toString('base64') ?? null,
  })
  const received = (prefix: typeof OWN_PREFIX | typeof PREFIX = OWN_PREFIX) => ({
    atMs: runtime.now(),
    from: connectionId,
    prefix,
  })
  return {
    ...at,
    vendor,
    imageRoom,
    setPolicy,
    offer: async (image?: Buffer | null) =>
      createChecked(ports, order(image), {
        policy: await policy(),
        exchange: credential.ref(credentialId),
        command: {
          type: 'OfferCredential',
          atMs: runtime.now(),
          tenant,
          connectionId,
          externalId: 'order-1',
          definition: { catalogueId: issuing.catalogueId, ledgerId: issuing.ledgerId },
          threadId: credentialId,
          nonce: '42',
          attributes: { name: 'Ada Lovelace' },
        },
      }),
    askForProof: async () =>
      createChecked(ports, order(), {
        policy: await policy(),
        exchange: proof.ref(proofId),
        command: {
          type: 'RequestProof',
          atMs: runtime.now(),
          tenant,
          connectionId,
          externalId: null,
          proofTemplateId: 'tpl_00aaaaaaaa',
          threadId: proofId,
          request: '{"requested_attributes":{},"requested_predicates":{}}',
        },
      }),
    /** The holder accepts the offer. */
    request: async () => {
      const body = await at.keep(credentialId, '{}')
      return at.ask(credentialId, { type: 'ReceiveCredentialRequest', ...received(PREFIX), request: body })
    },
    present: async () => {
      const presentation = await at.keep(proofId, '{}')
      return at.ask(proofId, { type: 'ReceivePresentation', ...received(PREFIX), presentation })
    },
    begin: () => at.ask(checkId, { type: 'ReceiveBegin', ...received() }),
    captured: () => at.ask(checkId, { type: 'ReceiveCaptured', ...received() }),
    giveUp: () => at.ask(checkId, { type: 'ReceiveCheckProblem', ...received() }),
    cancel: (id = credentialId) => at.ask(id, { type: 'CancelExchange', atMs: runtime.now(), tenant }),
    exchange: async () => {
      const record = await actors.read(credential.ref(credentialId))
      if (isRefused(record)) throw new Error(record.reason)
      return record
    },
    proved: async () => {
      const record = await actors.read(proof.ref(proofId))
      if (isRefused(record)) throw new Error(record.reason)
      return record
    },
    check: async () => {
      const record = await actors.read(faceCheck.ref(checkId))
      return isRefused(record) ? null : record
    },
    /** Names of the messages that the wallet got since the connection. */
    heard: () =>
      at.sent
        .map(({ message }) => message.type.split('/').at(-1) ?? '')
        .filter((name) => name !== 'response'),
    imagesKept: () => [...bodies.kept.keys()].filter((name) => name.startsWith(`${faceCheck.prefix}_`)),
  }
}

export type CheckWorld = Awaited<ReturnType<typeof checkWorld>>
