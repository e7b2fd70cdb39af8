import { impossibleEvent } from '../../domain/decider.ts'
import { afterEnd } from '../../domain/endings.ts'
import { declinedBy, timesAfter } from '../../domain/exchange.ts'
import { checkToTellIn, erasedFace, faceOf, isCheckToEnd, timesAfterCheck } from '../../domain/face-check.ts'
import type { Failed } from '../../domain/failures.ts'
import { owedAck, owedProblem } from '../../domain/last-word.ts'
import { opened, openedAgain, stepOf } from '../../domain/opening.ts'
import type { Facts, ProofDone, ProofEnded, ProofEvent, ProofRecord } from './state.ts'

export const isOver = (state: ProofRecord): state is ProofDone | ProofEnded => 'lastWord' in state

/** What an exchange has become by an event. */
export function evolveProof(
  state: ProofRecord,
  event: Exclude<ProofEvent, { type: 'ProofRequested' }>,
): ProofRecord {
  switch (event.type) {
    case 'ProofRequestDelivered':
      if (state.status === 'presentation-received' && typeof state.checkToTell === 'string')
        return { ...state, checkToTell: null }
      if (state.status !== 'request-sent') throw impossibleEvent(event, state.status)
      return opened(state, 'request-presentation', event)
    case 'ProofRequestUnread':
      if (state.status !== 'request-sent') throw impossibleEvent(event, state.status)
      return openedAgain(state)
    case 'PresentationReceived': {
      if (state.status !== 'request-sent') throw impossibleEvent(event, state.status)
      const { presentation } = event
      const { request } = state
      return {
        ...movedOn(state, event),
        status: 'presentation-received',
        request,
        presentation,
        ...checkToTellIn(stepOf('request', state), state),
      }
    }
    case 'ProofHeld': {
      if (state.status !== 'presentation-received') throw impossibleEvent(event, state.status)
      return { ...state, presentation: null, result: event.result }
    }
    case 'ProofFaceChecked':
      if (isOver(state)) throw impossibleEvent(event, state.status)
      return { ...state, ...timesAfterCheck(state, event), ...faceOf(event) }
    case 'ProofVerified': {
      const { verified, disclosed } = event
      const failed = verified ? event : { ...event, failure: 'not_verified' as const }
      return { ...movedOn(state, failed), status: 'done', verified, disclosed, lastWord: owedAck }
    }
    case 'ProofDeclined':
    case 'ProofAbandoned': {
      const status = event.type === 'ProofDeclined' ? 'declined' : 'abandoned'
      const { errorMessage, problem } = event
      const heard = event.type === 'ProofDeclined' ? declinedBy(state, event) : state
      const over = { ...movedOn(heard, event), status, errorMessage, lastWord: owedProblem(problem) } as const
      return isCheckToEnd(state, event) ? { ...over, checkToEnd: true } : over
    }
    case 'LastWordDelivered':
    case 'LastWordFailed':
    case 'LastWordDue':
    case 'RecordErased':
    case 'FaceCheckEnded': {
      if (!isOver(state)) throw impossibleEvent(event, state.status)
      const erased = state.status === 'done' ? { disclosed: null } : { errorMessage: null }
      return afterEnd(state, event, { ...erased, ...erasedFace(state) })
    }
  }
}

/** The facts that every state has, moved on in time; what belonged to the state before is dropped. */
const movedOn = (state: ProofRecord, event: Extract<ProofEvent, { change: unknown }> & Failed): Facts => ({
  ...timesAfter(state, event),
  tenant: state.tenant,
  connectionId: state.connectionId,
  externalId: state.externalId,
  proofTemplateId: state.proofTemplateId,
  threadId: state.threadId,
  prefix: 'prefix' in event ? event.prefix : state.prefix,
  ...faceOf(event),
})
