import { ABANDON_TIMER } from '../../domain/exchange.ts'
import { credentialDecider } from './rules.ts'
import type {
  CredentialCommand,
  CredentialEffect,
  CredentialEvent,
  CredentialReply,
  CredentialState,
  RequestReceived,
} from './state.ts'
import type { AnonCreds } from '../../ports/anoncreds.ts'
import { AnonCredsRefused } from '../../ports/anoncreds.ts'
import type { Catalogue } from '../credential-definition/catalogue.ts'
import type { OldActorDefinition, EffectContext } from '../../host/definition.ts'
import { defineActor } from '../../host/definition.ts'
import type { Messenger } from '../../ports/messenger.ts'
import type { Actors } from '../../ports/actors.ts'
import type { Runtime } from '../../ports/runtime.ts'
import { attempted } from '../connection/best-effort.ts'
import { correspondentOf } from '../connection/recipients.ts'
import { credentialEvents, credentialSnapshots } from './stored.ts'
import { offerText } from './offer-text.ts'

export type ExchangePorts = {
  readonly actors: Actors
  readonly messenger: Messenger
  readonly catalogue: Catalogue
  readonly anoncreds: AnonCreds
  readonly runtime: Pick<Runtime, 'now'>
}

export const CREDENTIAL = 'cre'

export const credentialActor = (
  ports: ExchangePorts,
): OldActorDefinition<
  CredentialState,
  CredentialCommand,
  CredentialEvent,
  CredentialReply,
  CredentialEffect
> =>
  defineActor({
    kind: CREDENTIAL,
    decider: credentialDecider,
    events: credentialEvents,
    snapshots: credentialSnapshots,
    snapshotEvery: 50,
    keyParent: (_actor, first) => {
      if (first.type !== 'OfferCredential')
        throw new Error(`a credential exchange does not begin with ${first.type}`)
      return { tenant: first.tenant, connection: first.connectionId }
    },
    erased: (state) => state.status !== 'none' && state.attributes === null,
    perform: (effect, context) => perform(ports, effect, context),
    onTimer: (timerId, atMs) => {
      if (timerId !== ABANDON_TIMER) throw new Error(`a credential exchange has no timer ${timerId}`)
      return { type: 'AbandonCredential', atMs }
    },
  })

const perform = async (
  ports: ExchangePorts,
  effect: CredentialEffect,
  { signal, forward }: EffectContext,
): Promise<CredentialCommand> => {
  const { actors, messenger, runtime } = ports
  switch (effect.kind) {
    case 'deliver-offer': {
      const { tenant, connectionId, definition, threadId, attributes } = effect.offer
      const to = await correspondentOf(actors, connectionId, forward)
      const issuing = (await ports.catalogue.definition(tenant, definition.catalogueId))?.issuing
      if (!issuing) throw new Error(`${definition.catalogueId} cannot be read`)
      const facts = { threadId, attributes: attributes ?? {}, offer: offerText(issuing, effect.offer.nonce) }
      await messenger.credentialOffer(to, facts, signal)
      return { type: 'RecordOfferDelivered', atMs: runtime.now() }
    }
    case 'sign-credential':
      return sign(ports, effect.requested)
    case 'deliver-credential': {
      const { connectionId, threadId, credential } = effect.requested
      const to = await correspondentOf(actors, connectionId, forward)
      await messenger.credential(to, { threadId, credential: credential ?? '' }, signal)
      return { type: 'RecordCredentialDelivered', atMs: runtime.now() }
    }
    case 'deliver-problem': {
      const { connectionId, threadId, problem } = effect.over
      const facts = { protocol: 'issue-credential/2.0', threadId, text: problem ?? '' }
      await attempted(
        correspondentOf(actors, connectionId, forward).then((to) => messenger.problem(to, facts, signal)),
      )
      return { type: 'RecordProblemDelivered', atMs: runtime.now() }
    }
  }
}

/** A request that no signature can answer ends the exchange; everything else is tried again. */
const sign = async (ports: ExchangePorts, requested: RequestReceived): Promise<CredentialCommand> => {
  const { tenant, definition, nonce, request, attributes } = requested
  const issuing = (await ports.catalogue.definition(tenant, definition.catalogueId))?.issuing
  if (!issuing) throw new Error(`${definition.catalogueId} cannot be read`)
  try {
    const credential = await ports.anoncreds.createCredential(tenant, {
      credentialDefinition: issuing.publicPart,
      credentialDefinitionPrivate: await ports.catalogue.privatePart(tenant, definition.catalogueId),
      offer: offerText(issuing, nonce),
      request: request ?? '',
      values: attributes ?? {},
    })
    return { type: 'RecordCredentialSigned', atMs: ports.runtime.now(), credential }
  } catch (error) {
    if (!(error instanceof AnonCredsRefused)) throw error
    const reason = 'The request of the wallet does not fit the offer.'
    return { type: 'RecordSigningRefused', atMs: ports.runtime.now(), reason }
  }
}
