import { composeMessage, isType, messageIdIn } from '../../didcomm/message.ts'
import { isProblemReport } from '../../didcomm/problem-report.ts'
import { OWN_PREFIX } from '../../domain/message-prefix.ts'
import type { DeviceSession } from '../../ports/face-vendor.ts'
import type { HolderMessages } from '../define-kind.ts'
import type { FaceCheckCommand, FaceCheckRecord } from './state.ts'

const PROTOCOL = 'biometric-check/1.0'

type InCheck = { readonly checkId: string }

const inThread = (checkId: string, name: string, id: string, fields: object = {}): string =>
  composeMessage({
    id,
    prefix: OWN_PREFIX,
    type: `${PROTOCOL}/${name}`,
    thread: { thid: checkId },
    ...fields,
  })

/** Opens the thread of the check, so that a wallet which does not know the protocol reports on the check. */
export const requiredMessage = ({
  checkId,
  exchangeId,
  vendor,
  expiresAt,
}: InCheck & { readonly exchangeId: string; readonly vendor: string; readonly expiresAt: string }): string =>
  composeMessage({
    id: checkId,
    prefix: OWN_PREFIX,
    type: `${PROTOCOL}/required`,
    thread: { thid: checkId, pthid: exchangeId },
    vendor,
    '~timing': { expires_time: expiresAt },
  })

/** `tellingId` is another each time, because the credentials in it are: a wallet must not take it for one it has had. */
export const sessionMessage = ({
  checkId,
  tellingId,
  session,
  expiresAt,
}: InCheck & {
  readonly tellingId: string
  readonly session: DeviceSession
  readonly expiresAt: string
}): string =>
  inThread(checkId, 'session', messageIdIn(checkId, tellingId), {
    session,
    '~timing': { expires_time: expiresAt },
  })

/** Of a failed attempt a wallet learns that it may try again, and nothing more. */
export const wordMessage = ({
  checkId,
  word,
  number,
}: InCheck & { readonly word: 'again' | 'over'; readonly number: number }): string =>
  inThread(checkId, word, messageIdIn(checkId, `${word}-${number}`))

/** What a wallet may say about a check. */
export const faceCheckMessages: HolderMessages<FaceCheckCommand, FaceCheckRecord> = {
  protocol: PROTOCOL,
  proposal: 'propose-check',
  problemCode: 'biometric-check-over',
  isReportedBelow: true,
  commandOf: (message, frame) => {
    if (isProblemReport(message)) return { type: 'ReceiveCheckProblem', ...frame }
    if (isType(message, PROTOCOL, 'begin')) return { type: 'ReceiveBegin', ...frame }
    return isType(message, PROTOCOL, 'captured') ? { type: 'ReceiveCaptured', ...frame } : null
  },
}
