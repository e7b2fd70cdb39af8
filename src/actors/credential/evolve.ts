import { impossibleEvent } from '../../domain/decider.ts'
import { afterEnd } from '../../domain/endings.ts'
import { declinedBy, timesAfter } from '../../domain/exchange.ts'
import { checkToTellIn, erasedFace, faceOf, isCheckToEnd, timesAfterCheck } from '../../domain/face-check.ts'
import { owedProblem } from '../../domain/last-word.ts'
import { isOpenedTwice, opened, openedAgain, stepOf } from '../../domain/opening.ts'
import type { CredentialEvent, CredentialOver, CredentialRecord } from './state.ts'

export const isOver = (state: CredentialRecord): state is CredentialOver => 'lastWord' in state

/** What an exchange has become by an event. */
export function evolveCredential(
  state: CredentialRecord,
  event: Exclude<CredentialEvent, { type: 'CredentialOffered' }>,
): CredentialRecord {
  switch (event.type) {
    case 'CredentialOfferDelivered':
      if (state.status === 'request-received' && typeof state.checkToTell === 'string')
        return { ...state, checkToTell: null }
      if (state.status !== 'offer-sent') throw impossibleEvent(event, state.status)
      return opened(state, 'offer-credential', event)
    case 'CredentialOfferUnread':
      if (state.status !== 'offer-sent') throw impossibleEvent(event, state.status)
      return openedAgain(state)
    case 'CredentialRequested':
      if (state.status !== 'offer-sent') throw impossibleEvent(event, state.status)
      return {
        ...movedOn(state, event),
        status: 'request-received',
        request: event.request,
        format: event.format,
        ...(isOpenedTwice(state) && { openedTwice: true }),
        ...checkToTellIn(stepOf('offer', state), state),
        credential: null,
      }
    case 'CredentialFaceChecked':
      if (isOver(state)) throw impossibleEvent(event, state.status)
      return { ...state, ...timesAfterCheck(state, event), ...faceOf(event) }
    case 'CredentialSigned':
      if (state.status !== 'request-received') throw impossibleEvent(event, state.status)
      return { ...state, request: null, credential: event.credential }
    case 'CredentialDelivered':
      if (state.status !== 'request-received') throw impossibleEvent(event, state.status)
      return {
        ...movedOn(state, event),
        status: 'credential-issued',
        ...(state.openedTwice === true && { openedTwice: true }),
        credential: state.credential,
      }
    case 'CredentialAcknowledged':
      return { ...movedOn(state, event), status: 'done', errorMessage: null, lastWord: null }
    case 'CredentialDeclined':
    case 'CredentialAbandoned': {
      const status = event.type === 'CredentialDeclined' ? 'declined' : 'abandoned'
      const { errorMessage, problem } = event
      const heard = event.type === 'CredentialDeclined' ? declinedBy(state, event) : state
      const over = { ...movedOn(heard, event), status, errorMessage, lastWord: owedProblem(problem) } as const
      return isCheckToEnd(state, event) ? { ...over, checkToEnd: true } : over
    }
    case 'LastWordDelivered':
    case 'LastWordFailed':
    case 'LastWordDue':
    case 'RecordErased':
    case 'FaceCheckEnded':
      if (!isOver(state)) throw impossibleEvent(event, state.status)
      return afterEnd(state, event, { attributes: null, errorMessage: null, ...erasedFace(state) })
  }
}

/** The facts that every state has, moved on in time; what belonged to the state before is dropped. */
const movedOn = (
  state: CredentialRecord,
  event: Extract<CredentialEvent, { change: unknown }>,
): Omit<CredentialRecord, 'status'> => ({
  ...timesAfter(state, event),
  tenant: state.tenant,
  connectionId: state.connectionId,
  externalId: state.externalId,
  definition: state.definition,
  threadId: state.threadId,
  nonce: state.nonce,
  attributes: state.attributes,
  prefix: 'prefix' in event ? event.prefix : state.prefix,
  ...faceOf(event),
})
