import type { EffectContext } from '../../host/definition.ts'
import type { WalletFormat } from '../../domain/wallet-formats.ts'
import type { PresentationInput } from '../../ports/anoncreds.ts'
import { type BodyPorts, openBody } from '../bodies.ts'
import {
  type HolderPorts,
  RecipientGone,
  attemptLastWord,
  writeOpening,
  writeProblem,
  writeToHolder,
} from '../connection/for-exchanges.ts'
import type { KindPorts } from '../kind-ports.ts'
import { PROBLEM_CODE, PROTOCOL, proofAckMessage, proofRequestMessage } from './messages.ts'
import {
  answersWholeGroups,
  disclosedValues,
  type Identifiers,
  parsePresentation,
  presentedIdentifiers,
} from './presentation.ts'
import type { PresentationReceived, ProofCommand, ProofEffect } from './rules.ts'

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
      return { type: 'RecordProofRequestDelivered', atMs: atMs(), otherAtMs }
    }
    case 'verify-presentation':
      return verify(ports, context.actor, effect.received)
    case 'deliver-proof-ack': {
      const { done } = effect
      const written = writeToHolder(ports, done.connectionId, context, () => proofAckMessage(done))
      return attemptLastWord(ports, context, written)
    }
    case 'deliver-problem': {
      const spoken = { protocol: PROTOCOL, code: PROBLEM_CODE }
      return attemptLastWord(ports, context, writeProblem(ports, { ...effect.ended, ...spoken }, context))
    }
  }
}

/** What does not prove what was asked is an answer too: `verified: false`, and nothing of it is taken over. */
const verify = async (ports: Ports, id: string, received: PresentationReceived): Promise<ProofCommand> => {
  const { tenant, request } = received
  const presentation = await openBody(ports, id, received.presentation)
  const failed = (): ProofCommand => ({
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
