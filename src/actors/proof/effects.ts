import { isHeld } from '../../domain/face-check.ts'
import type { EffectContext } from '../../host/definition.ts'
import type { WalletFormat } from '../../domain/wallet-formats.ts'
import type { PresentationInput } from '../../ports/anoncreds.ts'
import { type BodyPorts, keepBody, openBody } from '../bodies.ts'
import {
  type HolderPorts,
  RecipientGone,
  attemptLastWord,
  writeOpening,
  writeProblem,
  writeToHolder,
} from '../connection/for-exchanges.ts'
import { endFaceCheck, writeRequired } from '../face-check/for-exchanges.ts'
import type { KindPorts } from '../kind-ports.ts'
import { PROBLEM_CODE, PROTOCOL, proofAckMessage, proofRequestMessage } from './messages.ts'
import {
  answersWholeGroups,
  disclosedValues,
  type Identifiers,
  parsePresentation,
  presentedIdentifiers,
} from './presentation.ts'
import type { PresentationReceived, ProofCommand, ProofEffect } from './state.ts'

type Ports = HolderPorts & BodyPorts & Pick<KindPorts, 'anoncreds' | 'catalogue'>

/** What a proof exchange owes: its request, the verification, and how it ended. */
export const performProofEffect = async (
  ports: Ports,
  effect: ProofEffect,
  context: EffectContext,
): Promise<ProofCommand> => {
  const atMs = () => ports.runtime.now()
  switch (effect.kind) {
    case 'deliver-proof-request': {
      const { threadId, request } = effect.asked
      const message = (format: WalletFormat) => proofRequestMessage({ threadId, request, format })
      const otherAtMs = await writeOpening(ports, effect.asked, context, message)
      await writeRequired(ports, effect.asked, context)
      return { type: 'RecordProofRequestDelivered', atMs: atMs(), otherAtMs }
    }
    case 'tell-of-check':
      await writeRequired(ports, effect.received, context)
      return { type: 'RecordProofRequestDelivered', atMs: atMs(), otherAtMs: null }
    case 'verify-presentation':
      return held(ports, context.actor, effect.received, await verify(ports, context.actor, effect.received))
    case 'release-result':
      return release(ports, context.actor, effect.received)
    case 'deliver-proof-ack': {
      const { done } = effect
      const written = writeToHolder(ports, done.connectionId, context, () => proofAckMessage(done), null)
      return attemptLastWord(ports, context, written)
    }
    case 'deliver-problem': {
      const spoken = { protocol: PROTOCOL, code: PROBLEM_CODE }
      return attemptLastWord(ports, context, writeProblem(ports, { ...effect.ended, ...spoken }, context))
    }
    case 'end-face-check':
      return endFaceCheck(ports, effect.ended)
  }
}

type Verified = Extract<ProofCommand, { type: 'RecordProofVerified' }>

/** Behind a face check that is not passed the result is sealed: neither the journal nor anybody sees it before. */
const held = async (
  ports: Ports,
  id: string,
  received: PresentationReceived,
  verification: Verified,
): Promise<ProofCommand> => {
  if (!isHeld(received)) return verification
  const { atMs, verified, disclosed } = verification
  const result = await keepBody(ports, id, JSON.stringify({ verified, disclosed }))
  return { type: 'RecordProofHeld', atMs, result }
}

const release = async (ports: Ports, id: string, received: PresentationReceived): Promise<ProofCommand> => {
  const result = await openBody(ports, id, received.result ?? null)
  // Its key is gone with its connection's, and so is what was verified.
  if (result === null) throw new RecipientGone()
  const { verified, disclosed } = JSON.parse(result) as Pick<Verified, 'verified' | 'disclosed'>
  return { type: 'RecordProofVerified', atMs: ports.runtime.now(), verified, disclosed }
}

/** What does not prove what was asked is an answer too: `verified: false`, and nothing of it is taken over. */
const verify = async (ports: Ports, id: string, received: PresentationReceived): Promise<Verified> => {
  const { tenant, request } = received
  const presentation = await openBody(ports, id, received.presentation)
  const failed = (): Verified => ({
    type: 'RecordProofVerified',
    atMs: ports.runtime.now(),
    verified: false,
    disclosed: {},
  })
  // Its keys are gone with its connection's, which says nothing about what was presented.
  if (presentation === null) throw new RecipientGone()
  const presented = parsePresentation(presentation)
  const identifiers = presentedIdentifiers(presented)
  if (identifiers === null) return failed()
  const issuers = await issuersOf(ports, tenant, identifiers)
  if (issuers === null) return failed()
  const input = { presentation, request, ...issuers }
  if (!(await ports.anoncreds.verifyPresentation(tenant, input))) return failed()
  if (!answersWholeGroups(request, presented)) return failed()
  const disclosed = disclosedValues(request, presented)
  return { type: 'RecordProofVerified', atMs: ports.runtime.now(), verified: true, disclosed }
}

type Issuers = Pick<PresentationInput, 'schemas' | 'credentialDefinitions' | 'privates'>

/** Null when the ledger lacks one of them. The tenant's own definitions go with their private parts, which halves the work. */
const issuersOf = async (
  { catalogue }: Ports,
  tenant: string,
  identifiers: readonly Identifiers[],
): Promise<Issuers | null> => {
  const schemas: Record<string, string> = {}
  const credentialDefinitions: Record<string, string> = {}
  const privates: Record<string, string> = {}
  for (const { schemaId, definitionId } of identifiers) {
    const found = await catalogue.forVerifying(schemaId, definitionId)
    if (!found) return null
    schemas[schemaId] = found.schema
    credentialDefinitions[definitionId] = found.definition
    const own = await catalogue.issuing(tenant, definitionId)
    if (own?.ledgerId !== definitionId) continue
    // The very text it is issued with: engines remember what they computed for a definition by its text.
    credentialDefinitions[definitionId] = own.publicPart
    privates[definitionId] = await catalogue.privatePart(tenant, own.catalogueId)
  }
  return { schemas, credentialDefinitions, privates }
}
