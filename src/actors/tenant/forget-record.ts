import { isRefused } from '../../domain/decider.ts'
import type { EraseCommand } from '../../domain/erasure.ts'
import type { Eraser } from '../../domain/exchange.ts'
import { kindOf } from '../../domain/references.ts'
import { isWaitedFor } from '../../ports/parking.ts'
import { KeyLost } from '../../ports/vault.ts'
import { HOLDER } from '../connection/closing.ts'
import { connection } from '../connection/rules.ts'
import { credential } from '../credential/rules.ts'
import type { KindPorts } from '../kind-ports.ts'
import { proof } from '../proof/rules.ts'
import { forgetDeliveries, forgetDelivery } from '../webhook-delivery/forget.ts'
import { webhookDelivery } from '../webhook-delivery/rules.ts'

type Ports = Pick<KindPorts, 'actors' | 'runtime'>

/**
 * What retention does to a record whose time is over: an exchange is erased, a connection is kept, and of both goes what
 * their webhooks said. A delivery of what is not swept itself goes alone. False while something of it is left for the next sweep.
 */
export const forgetRecord = async (ports: Ports, tenant: string, id: string): Promise<boolean> => {
  const delivery = webhookDelivery.find(id)
  if (delivery !== null) return await forgetDelivery(ports, delivery)
  const isConnection = kindOf(id) === connection.prefix
  const record = isConnection
    ? await ports.actors.read(connection.ref(id))
    : await eraseExchange(ports, tenant, id)
  if (record === null || isRefused(record)) return false
  return await forgetDeliveries(ports, tenant, id, record.sequence)
}

/**
 * The exchange of a connection that is erased, and whose turn has not come, goes as it would in its turn, so that the log
 * of erasures has it. Null then: the webhook that says so goes out first.
 */
const eraseExchange = async ({ actors, runtime }: Ports, tenant: string, id: string) => {
  const isCredential = kindOf(id) === credential.prefix
  const asked = (command: EraseCommand, commandId: string) => {
    const options = { commandId, tenant: null }
    return isCredential
      ? actors.ask(credential.ref(id), command, options)
      : actors.ask(proof.ref(id), command, options)
  }
  // Dated before the look at its connection: one that is closed after that was later.
  const command = { type: 'EraseRecord', atMs: Math.floor(runtime.now()), tenant } as const
  const record = await (isCredential ? actors.read(credential.ref(id)) : actors.read(proof.ref(id)))
  if (isRefused(record)) return null
  const closedBy = record.erasedAtMs === null ? await closerOf(actors, record.connectionId) : null
  if (closedBy === null) {
    const erasure = asked({ ...command, by: 'retention' }, `retention:${runtime.newId()}`)
    return (await erasure.catch(unlessLost)) ?? record
  }
  const erasure = asked({ ...command, by: closedBy, withConnection: true }, `erase-with-connection:${id}`)
  return (await erasure.catch(unlessLost)) === null ? record : null
}

/** Who erases the connection; null where nobody does, and where it cannot be read, which must keep no exchange for ever. */
const closerOf = async (actors: Ports['actors'], connectionId: string): Promise<Eraser | null> => {
  try {
    const record = await actors.read(connection.ref(connectionId))
    const by = isRefused(record) ? null : (record.closing?.by ?? null)
    // A holder who hangs up ends what runs, and erases nothing.
    return by === HOLDER ? null : by
  } catch (error) {
    if (isWaitedFor(error)) throw error
    return null
  }
}

/** A record whose key is lost shows nothing already, and never changes again. */
const unlessLost = (error: unknown): null => {
  if (error instanceof KeyLost) return null
  throw error
}
