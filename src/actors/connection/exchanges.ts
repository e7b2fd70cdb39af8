import type { CancelCommand } from '../../domain/endings.ts'
import type { EraseCommand } from '../../domain/erasure.ts'
import type { EffectContext } from '../../host/definition.ts'
import type { Directory } from '../../ports/directory.ts'
import { isWaitedFor } from '../../ports/parking.ts'
import { KeyLost } from '../../ports/vault.ts'
import { credential } from '../credential/rules.ts'
import type { KindPorts } from '../kind-ports.ts'
import { proof } from '../proof/rules.ts'
import { type ExchangePage, HOLDER } from './closing.ts'
import type { ConnectionCommand, ConnectionEffect } from './state.ts'

type Ports = Pick<KindPorts, 'actors' | 'lists' | 'runtime'>
type Of = { readonly tenant: string; readonly connectionId: string }

const PAGE_SIZE = 50
/** Of one connection, so that others find room between them. */
const ERASED_AT_ONCE = 4

/** One page of a connection's exchanges, in the states, or in all. A closed connection gets no further ones. */
export const exchangesOf = async (
  directory: Directory,
  { tenant, connectionId }: Of,
  { list, page }: ExchangePage,
  states: readonly string[] = [],
): Promise<{ readonly ids: readonly string[]; readonly isLast: boolean }> => {
  const { rows, total } = await directory.list({
    tenant,
    kind: list,
    page,
    pageSize: PAGE_SIZE,
    q: null,
    states,
    externalId: null,
    fromMs: null,
    toMs: null,
    filters: { connectionId },
  })
  return { ids: rows.map(({ id }) => id), isLast: page * PAGE_SIZE >= total }
}

export const inParallel = async <Item>(
  atOnce: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const left = items.values()
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

type Walked = Extract<ConnectionEffect, { kind: 'erase-exchanges' }>

/**
 * Erases the exchanges on one page of an erased connection, whose keys are gone with its own, or ends those of one whose
 * wallet has hung up. One that cannot be read holds up no other: the page is gone through once more later.
 */
export const eraseExchanges = async (
  ports: Ports,
  { connection: record, page }: Walked,
  { actor: connectionId, signal }: EffectContext,
): Promise<ConnectionCommand> => {
  const { lists, runtime } = ports
  const { tenant, closing } = record
  await lists.caughtUpWith(connectionId)
  // They are on the shard of their connection, which is here; another node's lists may have less for a moment.
  const here = { list: lists.listHere }
  const { ids, isLast } = await exchangesOf(here, { tenant, connectionId }, page)
  let isComplete = true
  await inParallel(ERASED_AT_ONCE, ids, async (id) => {
    signal.throwIfAborted()
    const command = endOfOne(record, runtime.now())
    try {
      await endExchange(ports, page.list, id, command)
    } catch (error) {
      if (isWaitedFor(error)) throw error
      // A record whose key is lost shows nothing, and never changes again.
      if (!(error instanceof KeyLost)) isComplete = false
    }
  })
  const by = closing?.by ?? 'api_key'
  return { type: 'RecordExchangesErased', atMs: runtime.now(), by, at: page, isComplete, isLast }
}

const endOfOne = (
  { tenant, closing, erasedBy }: Walked['connection'],
  atMs: number,
): EraseCommand | CancelCommand =>
  closing?.by === HOLDER
    ? { type: 'CancelExchange', atMs, tenant, by: HOLDER }
    : { type: 'EraseRecord', atMs, tenant, by: erasedBy ?? 'api_key', withConnection: true }

const endExchange = async (
  { actors }: Pick<Ports, 'actors'>,
  list: ExchangePage['list'],
  id: string,
  command: EraseCommand | CancelCommand,
): Promise<void> => {
  const what = command.type === 'EraseRecord' ? 'erase' : 'end'
  const options = { commandId: `${what}-with-connection:${id}`, tenant: command.tenant }
  if (list === 'credential') await actors.ask(credential.ref(id), command, options)
  else await actors.ask(proof.ref(id), command, options)
}
