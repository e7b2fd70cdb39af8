// The whole service in a process of its own, on a clock that its starter sets ahead; the starter kills it.
import { connection } from '../../../src/actors/connection/rules.ts'
import { createKeyPair, seedOf } from '../../../src/didcomm/keys.ts'
import { PREFIX } from '../../../src/domain/message-prefix.ts'
import { SHARD_COUNT } from '../../../src/domain/references.ts'
import type { Runtime } from '../../../src/ports/runtime.ts'
import { openWithPorts } from '../../flows/seeded.ts'
import { startApplication } from '../../harness/started-app.ts'

/** Whoever sleeps looks at the clock so often. */
const LOOK_MS = 50
const ASK_LIMIT_MS = 20_000

const ahead = { ms: Number(process.env['AHEAD_MS'] ?? 0) }

const setAhead = (real: Runtime): Runtime => ({
  ...real,
  now: () => real.now() + ahead.ms,
  monotonicMs: () => real.monotonicMs() + ahead.ms,
  sleep: async (ms, signal) => {
    const endMs = real.monotonicMs() + ahead.ms + ms
    let leftMs = ms
    do {
      await real.sleep(Math.min(leftMs, LOOK_MS), signal)
      leftMs = endMs - real.monotonicMs() - ahead.ms
    } while (leftMs > 0)
  },
})

const { open, ports } = openWithPorts()
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name.startsWith('VOUCHSAFE_')),
) as Readonly<Record<string, string>>
await startApplication(environment['VOUCHSAFE_DATA_FOLDER'] ?? '', environment, (context) =>
  open({ ...context, runtime: setAhead(context.runtime) }),
)

/** How far its clock is before that of the machine. */
export const forwardTo = (aheadMs: number): void => {
  ahead.ms = aheadMs
}

/** The connection of this number, completed; asked for again it is the same one. */
export const connect = async (tenant: string, number: number, endpoint: string): Promise<string> => {
  const { actors, runtime } = ports()
  const id = connection.newRef(number % SHARD_COUNT, String(number).padStart(12, '0'))
  const [own, theirs] = [createKeyPair(), createKeyPair()]
  const options = { tenant, timeoutMs: ASK_LIMIT_MS }
  const request = {
    type: 'RequestConnection',
    atMs: Math.floor(runtime.now()),
    tenant,
    invitationId: 'inv_07aaaaaaaaaa',
    externalId: `guest-${number}`,
    threadId: id,
    theirLabel: 'Phone',
    theirDid: 'did:x',
    theirService: { endpoint, recipientKeys: [theirs.publicKeyBase58], routingKeys: [] },
    ownSeed: seedOf(own).toString('base64url'),
    ownKey: own.publicKeyBase58,
    protocol: 'didexchange/1.1',
    prefix: PREFIX,
  } as const
  await actors.ask(id, request, { ...options, commandId: `request ${id}` })
  const complete = { type: 'ReceiveConnectionComplete', atMs: Math.floor(runtime.now()) } as const
  await actors.ask(id, complete, { ...options, commandId: `complete ${id}` })
  return id
}
