import { isErased } from '../../domain/erasure.ts'
import { countedSteps, holderWaitSince } from '../../domain/exchange.ts'
import { isLastWordNote, LAST_WORD_TIMER } from '../../domain/last-word.ts'
import { OTHER_FORMAT_TIMER } from '../../domain/opening.ts'
import { wordsOrNull } from '../../http/route/fields.ts'
import { defineKind, keysAbove } from '../define-kind.ts'
import { unlessErased } from '../connection/for-exchanges.ts'
import { faceCheckView, shownFaceCheck } from '../face-check/shown.ts'
import { finishedSince, rowOfRecord } from '../rows.ts'
import { stateChanged, stateChangedEvent } from '../state-changed.ts'
import { performCredentialEffect } from './effects.ts'
import { credentialMessages } from './messages.ts'
import { credentialRoutes } from './routes.ts'
import { type CredentialTypes, credential, credentialDecider } from './rules.ts'
import { credentialStored } from './stored.ts'

const dueBy: Readonly<Record<string, 'RetryLastWord' | 'OfferInOtherFormat'>> = {
  [LAST_WORD_TIMER]: 'RetryLastWord',
  [OTHER_FORMAT_TIMER]: 'OfferInOtherFormat',
}

export const credentialKind = defineKind<CredentialTypes>({
  references: credential,
  decider: credentialDecider,
  ...credentialStored,
  keyParent: keysAbove,
  erased: isErased,
  bodiesKept: (state) => {
    if (state.status === 'none' || state.status === 'offer-sent') return null
    const signed = 'credential' in state ? state.credential : null
    if (signed !== null) return [signed.id]
    return state.status === 'request-received' ? null : []
  },
  isOver: (state) => 'lastWord' in state && state.lastWord === null && state.checkToEnd !== true,
  tenantOf: (state) => (state.status === 'none' ? null : state.tenant),
  effects: (ports) => ({
    perform: (effect, context) =>
      unlessErased(ports, credential.ref(context.actor), () =>
        performCredentialEffect(ports, effect, context),
      ),
  }),
  // A crash before the commit sends the offer, or the last word, once more under the same id.
  isNote: (outcome) => outcome.type === 'RecordOfferDelivered' || isLastWordNote(outcome),
  comesLast: ({ kind }) => kind === 'deliver-problem',
  waitsSince: holderWaitSince,
  onTimer: (timerId, atMs) => ({ type: dueBy[timerId] ?? 'AbandonCredential', atMs }),
  holderMessages: credentialMessages,
  listed: {
    list: 'credential',
    overview: { recordType: 'credential', waiting: ['offer-sent', 'request-received', 'credential-issued'] },
    row: (record) => {
      const { connectionId, externalId } = record
      return rowOfRecord(record, {
        filters: { connectionId },
        externalId,
        texts: [externalId],
        finishedAtMs: finishedSince(record),
        steps: countedSteps(record.steps),
      })
    },
  },
  published: {
    events: [
      stateChangedEvent(
        'credential',
        'A credential exchange has changed its state',
        { id: 'cre_5f8d2k4m6p7q9r1s3t5v0w2y', state: 'done', previousState: 'credential-issued' },
        {
          connectionId: wordsOrNull('The connection to the holder.', 'con_5f8d2k4m6p7q9r1s3t5v0w2x'),
          credentialDefinitionId: wordsOrNull('What is issued.', 'def_c20a4b6d8f1e3c5a7b9d0f2e4c'),
          errorMessage: wordsOrNull('Why the exchange was declined or abandoned.', null),
          biometric: shownFaceCheck,
        },
      ),
    ],
    publish: (actor, event, stored) => {
      if (!('change' in event)) return null
      const { connectionId } = event
      const credentialDefinitionId =
        event.type === 'CredentialOffered' ? event.definition.catalogueId : event.credentialDefinitionId
      const biometric = faceCheckView(event)
      const more = { connectionId, credentialDefinitionId, errorMessage: null, biometric }
      const changed = stateChanged('credential', actor, event, more)
      return 'errorMessage' in event || biometric !== null ? { ...changed, sealed: stored } : changed
    },
    personalData: (event) => ({
      ...('errorMessage' in event && { errorMessage: event.errorMessage }),
      ...('faceCheck' in event && { biometric: faceCheckView(event) }),
    }),
  },
  routes: credentialRoutes,
})
