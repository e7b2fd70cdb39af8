import { Type } from 'typebox'
import { isErased } from '../../domain/erasure.ts'
import { countedSteps, holderWaitSince } from '../../domain/exchange.ts'
import { isLastWordNote, LAST_WORD_TIMER } from '../../domain/last-word.ts'
import { OTHER_FORMAT_TIMER } from '../../domain/opening.ts'
import { wordsOrNull } from '../../http/route/fields.ts'
import { unlessErased } from '../connection/for-exchanges.ts'
import { defineKind, keysAbove } from '../define-kind.ts'
import { faceCheckView, shownFaceCheck } from '../face-check/shown.ts'
import { finishedSince, rowOfRecord } from '../rows.ts'
import { stateChanged, stateChangedEvent } from '../state-changed.ts'
import { performProofEffect } from './effects.ts'
import { proofMessages } from './messages.ts'
import { proofRoutes } from './routes.ts'
import { type ProofTypes, proof, proofDecider } from './rules.ts'
import { proofStored } from './stored.ts'

const disclosed = Type.Record(Type.String(), Type.Record(Type.String(), Type.String()))

const dueBy: Readonly<Record<string, 'RetryLastWord' | 'RequestInOtherFormat'>> = {
  [LAST_WORD_TIMER]: 'RetryLastWord',
  [OTHER_FORMAT_TIMER]: 'RequestInOtherFormat',
}

export const proofKind = defineKind<ProofTypes>({
  references: proof,
  decider: proofDecider,
  ...proofStored,
  keyParent: keysAbove,
  erased: isErased,
  bodiesKept: (state) => {
    if ('lastWord' in state) return []
    const result = ('result' in state ? state.result : null) ?? null
    return result === null ? null : [result.id]
  },
  isOver: (state) => {
    if (!('lastWord' in state) || state.lastWord !== null) return false
    return !('checkToEnd' in state && state.checkToEnd)
  },
  tenantOf: (state) => (state.status === 'none' ? null : state.tenant),
  effects: (ports) => ({
    perform: (effect, context) =>
      unlessErased(ports, proof.ref(context.actor), () => performProofEffect(ports, effect, context)),
  }),
  // A crash before the commit sends the request, or the last word, once more under the same id.
  isNote: (outcome) => outcome.type === 'RecordProofRequestDelivered' || isLastWordNote(outcome),
  comesLast: ({ kind }) => kind === 'deliver-problem',
  waitsSince: holderWaitSince,
  onTimer: (timerId, atMs) => ({ type: dueBy[timerId] ?? 'AbandonProof', atMs }),
  holderMessages: proofMessages,
  listed: {
    list: 'proof',
    overview: { recordType: 'proof', waiting: ['request-sent', 'presentation-received'] },
    row: (record) => {
      const { connectionId, proofTemplateId, externalId } = record
      const verified = record.status === 'done' ? String(record.verified) : null
      const filters = { connectionId, proofTemplateId, verified }
      return rowOfRecord(record, {
        filters,
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
        'proof',
        'A proof exchange has changed its state',
        { id: 'pro_5f8d2k4m6p7q9r1s3t5v0w2z', state: 'done', previousState: 'presentation-received' },
        {
          connectionId: wordsOrNull('The connection to the holder.', 'con_5f8d2k4m6p7q9r1s3t5v0w2x'),
          proofTemplateId: wordsOrNull('What was asked for.', 'tpl_3b7d9f1h3k5m7p9r1t3v5x7z'),
          verified: Type.Union([Type.Boolean(), Type.Null()], {
            description: 'Whether the proof holds; null until the exchange is done.',
          }),
          disclosed: Type.Union([disclosed, Type.Null()], {
            description: 'What the holder disclosed, by group; null until the exchange is done.',
            examples: [{ person: { name: 'Ada Lovelace' } }],
          }),
          biometric: shownFaceCheck,
        },
      ),
    ],
    publish: (actor, event, stored) => {
      if (!('change' in event)) return null
      const isVerified = event.type === 'ProofVerified'
      const biometric = faceCheckView(event)
      const changed = stateChanged('proof', actor, event, {
        connectionId: event.connectionId,
        proofTemplateId: event.proofTemplateId,
        verified: isVerified ? event.verified : null,
        disclosed: null,
        biometric,
      })
      // The stored text goes along as ciphertext: the personal values in it are opened last of all.
      return isVerified || biometric !== null ? { ...changed, sealed: stored } : changed
    },
    personalData: (event) => ({
      ...(event.type === 'ProofVerified' && { disclosed: event.disclosed }),
      ...('faceCheck' in event && { biometric: faceCheckView(event) }),
    }),
  },
  routes: proofRoutes,
})
