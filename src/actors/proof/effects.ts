import { ABANDON_TIMER } from '../../domain/exchange.ts'
import { proofDecider } from './rules.ts'
import type {
  PresentationReceived,
  ProofCommand,
  ProofEffect,
  ProofEvent,
  ProofReply,
  ProofState,
} from './state.ts'
import type { PresentationInput } from '../../ports/anoncreds.ts'
import type { OldActorDefinition, EffectContext } from '../../host/definition.ts'
import { defineActor } from '../../host/definition.ts'
import { attempted } from '../connection/best-effort.ts'
import { correspondentOf } from '../connection/recipients.ts'
import type { ExchangePorts } from '../credential/effects.ts'
import { disclosedValues, type Identifiers, presentedIdentifiers } from './presentation.ts'
import { proofEvents, proofSnapshots } from './stored.ts'
import { answersWholeGroups } from './whole-groups.ts'

export const PROOF = 'pro'

export const proofActor = (
  ports: ExchangePorts,
): OldActorDefinition<ProofState, ProofCommand, ProofEvent, ProofReply, ProofEffect> =>
  defineActor({
    kind: PROOF,
    decider: proofDecider,
    events: proofEvents,
    snapshots: proofSnapshots,
    snapshotEvery: 50,
    keyParent: (_actor, first) => {
      if (first.type !== 'RequestProof') throw new Error(`a proof exchange does not begin with ${first.type}`)
      return { tenant: first.tenant, connection: first.connectionId }
    },
    erased: () => false,
    perform: (effect, context) => perform(ports, effect, context),
    onTimer: (timerId, atMs) => {
      if (timerId !== ABANDON_TIMER) throw new Error(`a proof exchange has no timer ${timerId}`)
      return { type: 'AbandonProof', atMs }
    },
  })

const perform = async (
  ports: ExchangePorts,
  effect: ProofEffect,
  { signal, forward }: EffectContext,
): Promise<ProofCommand> => {
  const { actors, messenger, runtime } = ports
  switch (effect.kind) {
    case 'deliver-proof-request': {
      const { connectionId, threadId, request } = effect.asked
      await messenger.proofRequest(
        await correspondentOf(actors, connectionId, forward),
        { threadId, request },
        signal,
      )
      return { type: 'RecordProofRequestDelivered', atMs: runtime.now() }
    }
    case 'verify-presentation':
      return verify(ports, effect.received)
    case 'deliver-proof-ack': {
      const { connectionId, threadId } = effect.done
      const told = correspondentOf(actors, connectionId, forward).then((to) =>
        messenger.proofAck(to, { threadId }, signal),
      )
      await attempted(told)
      return { type: 'RecordProofAckDelivered', atMs: runtime.now() }
    }
    case 'deliver-problem': {
      const { connectionId, threadId, problem } = effect.ended
      const facts = { protocol: 'present-proof/2.0', threadId, text: problem ?? '' }
      await attempted(
        correspondentOf(actors, connectionId, forward).then((to) => messenger.problem(to, facts, signal)),
      )
      return { type: 'RecordProblemDelivered', atMs: runtime.now() }
    }
  }
}

/** What does not prove what was asked is an answer too: `verified: false`, and nothing of it is taken over. */
const verify = async (ports: ExchangePorts, received: PresentationReceived): Promise<ProofCommand> => {
  const { tenant, request, presentation } = received
  const failed = (): ProofCommand => ({
    type: 'RecordProofVerified',
    atMs: ports.runtime.now(),
    verified: false,
    disclosed: {},
  })
  const identifiers = presentation === null ? null : presentedIdentifiers(presentation)
  if (presentation === null || identifiers === null) return failed()
  const issuers = await issuersOf(ports, tenant, identifiers)
  if (issuers === null) return failed()
  const input = { presentation, request, ...issuers }
  if (!(await ports.anoncreds.verifyPresentation(tenant, input))) return failed()
  if (!answersWholeGroups(request, presentation)) return failed()
  const disclosed = disclosedValues(request, presentation)
  return { type: 'RecordProofVerified', atMs: ports.runtime.now(), verified: true, disclosed }
}

type Issuers = Pick<PresentationInput, 'schemas' | 'credentialDefinitions' | 'privates'>

/** Null when the ledger lacks one of them. The tenant's own definitions go with their private parts, which halves the work. */
const issuersOf = async (
  { catalogue }: ExchangePorts,
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
    const own = (await catalogue.definition(tenant, definitionId))?.issuing
    if (own?.ledgerId !== definitionId) continue
    // The very text it is issued with: engines remember what they computed for a definition by its text.
    credentialDefinitions[definitionId] = own.publicPart
    privates[definitionId] = await catalogue.privatePart(tenant, own.catalogueId)
  }
  return { schemas, credentialDefinitions, privates }
}
