import type { EffectContext } from '../../host/definition.ts'
import { AnonCredsRefused } from '../../ports/anoncreds.ts'
import { type BodyPorts, keepBody, openBody } from '../bodies.ts'
import {
  type HolderPorts,
  RecipientGone,
  attemptLastWord,
  writeOpening,
  writeProblem,
  writeToHolder,
} from '../connection/for-exchanges.ts'
import type { IssuingDefinition } from '../credential-definition/catalogue.ts'
import { endFaceCheck, writeRequired } from '../face-check/for-exchanges.ts'
import type { KindPorts } from '../kind-ports.ts'
import { credentialMessage, offerMessage, offerText, PROBLEM_CODE, PROTOCOL } from './messages.ts'
import type { CredentialCommand, CredentialEffect, RequestReceived } from './state.ts'

type Ports = HolderPorts & BodyPorts & Pick<KindPorts, 'anoncreds' | 'catalogue'>

/** What a credential exchange owes: its offer, its signature, its credential, and the reason of its end. */
export const performCredentialEffect = async (
  ports: Ports,
  effect: CredentialEffect,
  context: EffectContext,
): Promise<CredentialCommand> => {
  const atMs = () => ports.runtime.now()
  switch (effect.kind) {
    case 'deliver-offer': {
      const { threadId, attributes, nonce } = effect.offer
      const otherAtMs = await writeOpening(ports, effect.offer, context, async (format) => {
        const offer = offerText(await issuingDefinition(ports, effect.offer), nonce)
        return offerMessage({ threadId, attributes: attributes ?? {}, offer, format })
      })
      await writeRequired(ports, effect.offer, context)
      return { type: 'RecordOfferDelivered', atMs: atMs(), otherAtMs }
    }
    case 'tell-of-check':
      await writeRequired(ports, effect.requested, context)
      return { type: 'RecordOfferDelivered', atMs: atMs(), otherAtMs: null }
    case 'sign-credential':
      return sign(ports, context.actor, effect.requested)
    case 'deliver-credential': {
      const { connectionId, threadId, prefix, format = 'anoncreds' } = effect.requested
      const message = async () => {
        const credential = await openBody(ports, context.actor, effect.requested.credential)
        if (credential === null) throw new Error('the credential was erased')
        return credentialMessage({ threadId, prefix, credential, format })
      }
      await writeToHolder(ports, connectionId, context, message)
      return { type: 'RecordCredentialDelivered', atMs: atMs() }
    }
    case 'deliver-problem': {
      const spoken = { protocol: PROTOCOL, code: PROBLEM_CODE }
      return attemptLastWord(ports, context, writeProblem(ports, { ...effect.over, ...spoken }, context))
    }
    case 'end-face-check':
      return endFaceCheck(ports, effect.over)
  }
}

type OfDefinition = Pick<RequestReceived, 'tenant' | 'definition'>

const issuingDefinition = async (
  { catalogue }: Ports,
  { tenant, definition }: OfDefinition,
): Promise<IssuingDefinition> => {
  const found = await catalogue.issuing(tenant, definition.catalogueId)
  if (found === null) throw new Error(`${definition.catalogueId} cannot be read`)
  return found
}

/** A request that no signature can answer ends the exchange; everything else is tried again. */
const sign = async (ports: Ports, id: string, requested: RequestReceived): Promise<CredentialCommand> => {
  const { tenant, definition, nonce, attributes } = requested
  const request = await openBody(ports, id, requested.request)
  // Its keys are gone with its connection's: what can be read now would be refused for want of it.
  if (attributes === null) throw new RecipientGone()
  const issuing = await issuingDefinition(ports, requested)
  try {
    const credential = await ports.anoncreds.createCredential(tenant, {
      credentialDefinition: issuing.publicPart,
      credentialDefinitionPrivate: await ports.catalogue.privatePart(tenant, definition.catalogueId),
      offer: offerText(issuing, nonce),
      request: request ?? '',
      values: attributes,
    })
    return {
      type: 'RecordCredentialSigned',
      atMs: ports.runtime.now(),
      credential: await keepBody(ports, id, credential),
    }
  } catch (error) {
    if (!(error instanceof AnonCredsRefused)) throw error
    const reason = 'The request of the wallet does not fit the offer.'
    return { type: 'RecordSigningRefused', atMs: ports.runtime.now(), reason }
  }
}
