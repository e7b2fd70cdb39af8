// The whole service in a process of its own, which takes in as many events as it is told; its starter kills it.
import { setTimeout as pause } from 'node:timers/promises'
import { takeEvent } from '../../../src/actors/webhook-delivery/intake.ts'
import { isRetryable } from '../../../src/ports/actors.ts'
import type { PublicEvent } from '../../../src/ports/publication.ts'
import { openWithPorts } from '../../flows/seeded.ts'
import { startApplication } from '../../harness/started-app.ts'
import { inLanes } from '../scenario.ts'

const LANES = 64
const RETRY_MS = 50

const { open, ports } = openWithPorts()
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name.startsWith('VOUCHSAFE_')),
) as Readonly<Record<string, string>>
await startApplication(environment['VOUCHSAFE_DATA_FOLDER'] ?? '', environment, open)

/** Makes deliveries of events from one number to another; asked for again they are the same ones. */
export const owe = (tenant: string, from: number, to: number): Promise<void> =>
  inLanes(LANES, to - from, (lane) => taken(eventOf(tenant, from + lane - 1)))

const taken = async (event: PublicEvent): Promise<void> => {
  const { actors, runtime } = ports()
  for (;;) {
    try {
      return await takeEvent({ actors, now: () => Math.floor(runtime.now()) }, event)
    } catch (error) {
      if (!isRetryable(error)) throw error
      await pause(RETRY_MS)
    }
  }
}

/** As one of a connection, without personal fields. */
const eventOf = (tenant: string, number: number): PublicEvent => {
  const id = `con_00${String(number).padStart(24, '0')}`
  return {
    id: `evt_${id}_1`,
    type: 'connection.state_changed',
    tenant,
    createdAtMs: Date.now(),
    recordType: 'connection',
    recordId: id,
    data: { id, state: 'completed', previousState: 'response-sent', externalId: null, sequence: 1 },
    sealed: null,
  }
}
