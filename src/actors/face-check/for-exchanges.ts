import type { RecordFaceCheckEnded } from '../../domain/endings.ts'
import { type FaceChecked, isFacePending } from '../../domain/face-check.ts'
import type { EffectContext } from '../../host/definition.ts'
import { isoTime } from '../../http/route/fields.ts'
import { type HolderPorts, writeToHolder } from '../connection/for-exchanges.ts'
import { requiredMessage } from './messages.ts'
import { faceCheck } from './rules.ts'

type Opened = FaceChecked & { readonly connectionId: string; readonly threadId: string }

/** Behind the message that opens the exchange, in order; nothing where no check is pending. */
export const writeRequired = async (
  ports: HolderPorts,
  { connectionId, threadId, ...face }: Opened,
  context: EffectContext,
): Promise<void> => {
  const { faceCheck: check } = face
  if (check === undefined || !isFacePending(face)) return
  const message = () =>
    requiredMessage({
      checkId: check.id,
      exchangeId: threadId,
      vendor: check.vendor,
      expiresAt: isoTime(check.expiresAtMs),
    })
  await writeToHolder(ports, connectionId, context, message)
}

/** The exchange has ended: the check ends too, and its image goes. One that is gone has ended by itself. */
export const endFaceCheck = async (
  { actors, runtime }: Pick<HolderPorts, 'actors' | 'runtime'>,
  { faceCheck: check }: FaceChecked,
): Promise<RecordFaceCheckEnded> => {
  const atMs = runtime.now()
  if (check !== undefined) {
    const options = { commandId: `end:${check.id}`, tenant: null }
    await actors.ask(faceCheck.ref(check.id), { type: 'EndFaceCheck', atMs }, options)
  }
  return { type: 'RecordFaceCheckEnded', atMs }
}
