import { type ProblemFacts, problemReportMessage } from '../../didcomm/problem-report.ts'
import { isRefused, type KindTypes, type Refused } from '../../domain/decider.ts'
import type { EraseCommand } from '../../domain/erasure.ts'
import type { LastWord, LastWordCommand } from '../../domain/last-word.ts'
import type { Opening } from '../../domain/opening.ts'
import { OTHER_FORMAT_AFTER_MS, type WalletFormat } from '../../domain/wallet-formats.ts'
import { EgressRefused } from '../../egress/failures.ts'
import type { EffectContext } from '../../host/definition.ts'
import { EffectNotBegun } from '../../host/effects/not-begun.ts'
import { addressed, type Actors, type Addressed } from '../../ports/actors.ts'
import type { MessageOf, Recipient, WalletService } from '../../ports/wallets.ts'
import type { KindPorts } from '../kind-ports.ts'
import { HOLDER } from './closing.ts'
import { connection, noSuchConnection } from './rules.ts'
import { type FormatsSeen, formatOf } from './wallet-ways.ts'
import { shardOf, type Ref, type References } from '../../domain/references.ts'
import type { Runtime } from '../../ports/runtime.ts'

/** An exchange lives on the shard of its connection, whatever a caller names; no connection at all is refused later. */
export const newExchangeId = (
  { newRef }: Pick<References<KindTypes>, 'newRef'>,
  connectionId: string,
  { newId }: Pick<Runtime, 'newId'>,
): string => newRef(shardOf(connectionId) ?? 0, newId())

type ExchangeOrder = {
  readonly tenant: string
  readonly connectionId: string
  /** The id of the exchange was made for this order a moment ago, and no other has it. */
  readonly isNew?: boolean
}

/** Creates an exchange in one batch with its connection saying that it is ready. */
export const createExchange = async <Of extends KindTypes>(
  { actors }: { readonly actors: Actors },
  { tenant, connectionId, isNew = false }: ExchangeOrder,
  exchange: Ref<Of>,
  command: NoInfer<Of>['command'],
): Promise<Of['reply'] | Refused> => {
  const ref = connection.find(connectionId)
  if (ref === null) return noSuchConnection
  const ready = addressed(ref, { type: 'RequireConnectionReady', tenant })
  const options = { commandId: `create:${exchange}`, tenant, ...(isNew && { begins: exchange }) }
  const replies = await actors.askAtomically([ready, addressed(exchange, command)], options)
  return isRefused(replies) ? inWordsOfCaller(replies) : replies[1]
}

/** The same, together with another record that begins with the exchange. */
export const createExchangeWith = async <Of extends KindTypes, With extends KindTypes>(
  { actors }: { readonly actors: Actors },
  { tenant, connectionId }: { readonly tenant: string; readonly connectionId: string },
  exchange: Addressed<Of>,
  beside: Addressed<With>,
): Promise<readonly [Of['reply'], With['reply']] | Refused> => {
  const ref = connection.find(connectionId)
  if (ref === null) return noSuchConnection
  const ready = addressed(ref, { type: 'RequireConnectionReady', tenant })
  const options = { commandId: `create:${exchange.to}`, tenant }
  const replies = await actors.askAtomically([ready, exchange, beside], options)
  return isRefused(replies) ? inWordsOfCaller(replies) : [replies[1], replies[2]]
}

/** Why no exchange can begin over a connection; null where one can. */
export const refusalOfConnection = async (
  { actors }: { readonly actors: Actors },
  { tenant, connectionId }: { readonly tenant: string; readonly connectionId: string },
  commandId: string,
): Promise<Refused | null> => {
  const ref = connection.find(connectionId)
  if (ref === null) return noSuchConnection
  const reply = await actors.ask(ref, { type: 'RequireConnectionReady', tenant }, { commandId, tenant })
  return isRefused(reply) ? inWordsOfCaller(reply) : null
}

/** A connection that never was is refused in the words of the caller's field. */
const inWordsOfCaller = (refused: Refused): Refused =>
  refused.refused === 'not_found' ? noSuchConnection : refused

export type HolderPorts = Pick<KindPorts, 'actors' | 'deliver' | 'runtime'>

/** The connection was erased in the meantime, or its wallet has hung up: nobody is written to any more. */
export class RecipientGone extends Error {
  constructor() {
    super('the connection has no address any more')
    this.name = 'RecipientGone'
  }
}

/** Who is written to, and what the wallet has shown to read. */
export type Holder = Recipient & { readonly seen: FormatsSeen }

/**
 * The connection alone knows its keys, and it may be erased while we wait. Once it is closed its holder hears that it is
 * over, and nothing may arrive after that.
 */
export const recipientOf = async (actors: Actors, connectionId: string): Promise<Holder> => {
  const record = await actors.read(connection.ref(connectionId))
  if (isRefused(record) || record.theirService === null || record.ownSeed === null) throw new RecipientGone()
  if (record.closing?.by === HOLDER) throw new RecipientGone()
  if (record.status === 'closed') throw new EffectNotBegun('the connection is closed and about to be erased')
  const { theirService: service, ownSeed, formats, formatsAtMs } = record
  return { service, ownSeed, seen: { formats, formatsAtMs } }
}

type ExchangeTypes = KindTypes & {
  readonly views: { readonly record: { readonly tenant: string; readonly connectionId: string } }
}

/**
 * Does what an exchange owes. Where its connection was erased that cannot be done any more, and the exchange asks for its
 * own erasure instead, as its connection will.
 */
export const unlessErased = async <Of extends ExchangeTypes, Command>(
  { actors, runtime }: Pick<HolderPorts, 'actors' | 'runtime'>,
  exchange: Ref<Of>,
  perform: () => Promise<Command>,
): Promise<Command | EraseCommand> => {
  try {
    return await perform()
  } catch (error) {
    const ofExchange = await actors.read<Of>(exchange)
    const erasure = isRefused(ofExchange)
      ? null
      : await erasureWithConnection({ actors, runtime }, ofExchange)
    if (erasure === null) throw error
    return erasure
  }
}

/** What an exchange whose connection was erased is about to be asked; null where it was not. */
export const erasureWithConnection = async (
  { actors, runtime }: Pick<HolderPorts, 'actors' | 'runtime'>,
  { tenant, connectionId }: ExchangeTypes['views']['record'],
): Promise<EraseCommand | null> => {
  const record = await actors.read(connection.ref(connectionId))
  if (isRefused(record) || record.erasedBy === null) return null
  return { type: 'EraseRecord', atMs: runtime.now(), tenant, by: record.erasedBy, withConnection: true }
}

export const laneOf = ({ deliver }: Pick<HolderPorts, 'deliver'>, service: WalletService): string =>
  laneTo(service, deliver.staysInside?.(service) === true)

/** Where a message goes, for the turns of those who send: each wallet that waits here is a place of its own. */
export const laneTo = (service: WalletService, isInside: boolean): string =>
  isInside ? `inside ${service.recipientKeys[0]}` : hostOf(service)

/**
 * Whose slots a slow endpoint takes: the wallet's mediator's or, without one, the wallet's. All ports of a name are one
 * host: the wallet chooses the port, and the machine behind them is the same.
 */
export const hostOf = ({ endpoint }: WalletService): string =>
  URL.canParse(endpoint) ? new URL(endpoint).hostname.replace(/\.$/, '') : endpoint

/**
 * Writes one message to the holder of a connection. Keys are read and the message is composed after the recipient's
 * turn has come, because waiting for it may take long. `of`: null for one that has nothing of a person in it, and is to
 * arrive whatever becomes of the exchange.
 */
export const writeToHolder = async (
  ports: HolderPorts,
  connectionId: string,
  { actor, effectId, signal, forward }: EffectContext,
  message: (to: Holder) => string | Promise<string>,
  of: MessageOf | null = { exchange: actor, isOver: false },
): Promise<void> => {
  const { actors, deliver } = ports
  let to = await recipientOf(actors, connectionId)
  const turn = forward(laneOf(ports, to.service))
  if (turn !== null) {
    await turn
    to = await recipientOf(actors, connectionId)
  }
  await deliver(to, await message(to), signal, `${actor} ${effectId}`, of)
}

/**
 * Writes the message that opens an exchange, in a format that its wallet reads. Answers when it is to go out in the other
 * one, where nothing has shown yet what the wallet reads.
 */
export const writeOpening = async (
  ports: HolderPorts,
  { connectionId, format }: { readonly connectionId: string } & Pick<Opening, 'format'>,
  context: EffectContext,
  message: (format: WalletFormat) => string | Promise<string>,
): Promise<number | null> => {
  let isGuess = false
  await writeToHolder(ports, connectionId, context, ({ seen }) => {
    const known = formatOf(seen, ports.runtime.now())
    isGuess = format === undefined && known === null
    return message(format ?? known ?? 'anoncreds')
  })
  return isGuess ? ports.runtime.now() + OTHER_FORMAT_AFTER_MS : null
}

type Ended = Omit<ProblemFacts, 'text'> & {
  readonly connectionId: string
  readonly lastWord: LastWord | null
}

/** Says why an exchange ended. */
export const writeProblem = (ports: HolderPorts, ended: Ended, context: EffectContext): Promise<void> => {
  const message = () => problemReportMessage({ ...ended, text: ended.lastWord?.problem ?? '' })
  return writeToHolder(ports, ended.connectionId, context, message, { exchange: context.actor, isOver: true })
}

/** What became of an attempt at the last word of an exchange, which plans its next attempt itself. */
export const attemptLastWord = async (
  { runtime }: Pick<HolderPorts, 'runtime'>,
  { signal }: Pick<EffectContext, 'signal'>,
  written: Promise<void>,
): Promise<Extract<LastWordCommand, { became: unknown }>> => {
  const recorded = (became: 'delivered' | 'failed' | 'never') =>
    ({ type: 'RecordLastWord', atMs: runtime.now(), became }) as const
  try {
    await written
    return recorded('delivered')
  } catch (error) {
    // What was held back, or cut off because we stop, has not been tried.
    if (error instanceof EffectNotBegun || signal.aborted) throw error
    const isPointless = error instanceof RecipientGone || error instanceof EgressRefused
    return recorded(isPointless ? 'never' : 'failed')
  }
}
