import { EgressRefused } from '../../egress/failures.ts'
import type { EffectContext } from '../../host/definition.ts'
import { RecipientGone, writeToHolder } from '../connection/for-exchanges.ts'
import { abandonExchange } from './exchange.ts'
import { wordMessage } from './messages.ts'
import { readSession } from './reading.ts'
import { beginSession, endSession, tellSession } from './sessions.ts'
import type { FaceCheckCommand, FaceCheckEffect, FaceCheckRecord } from './state.ts'
import type { VendorDesk } from './vendor-desk.ts'

/** What a check owes to its vendor, to its wallet and to its exchange. */
export const performFaceCheckEffect = async (
  desk: VendorDesk,
  effect: FaceCheckEffect,
  context: EffectContext,
): Promise<FaceCheckCommand> => {
  switch (effect.kind) {
    case 'begin-session':
      return beginSession(desk, effect.check, context)
    case 'tell-session':
      return tellSession(desk, effect.check, context)
    case 'read-session':
      return readSession(desk, effect.check, context)
    case 'end-session':
      return endSession(desk, effect.check, effect.left, context)
    case 'deliver-word':
      return deliverWord(desk, effect.check, context)
    case 'end-exchange':
      await abandonExchange(desk.ports, effect.check)
      return { type: 'RecordExchangeEnded', atMs: desk.ports.runtime.now() }
  }
}

/** Tried until the time of the check is over; a wallet that is gone for good needs no word. */
const deliverWord = async (
  { ports }: VendorDesk,
  { connectionId, word, words }: FaceCheckRecord,
  context: EffectContext,
): Promise<FaceCheckCommand> => {
  const message = () => wordMessage({ checkId: context.actor, word: word ?? 'again', number: words })
  await writeToHolder(ports, connectionId, context, message).catch((error: unknown) => {
    if (!(error instanceof RecipientGone || error instanceof EgressRefused)) throw error
  })
  return { type: 'RecordWordDelivered', atMs: ports.runtime.now(), words }
}
