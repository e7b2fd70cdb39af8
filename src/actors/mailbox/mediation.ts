import { isJson, listOf } from '../../didcomm/json.ts'
import { boxPublicKey, didKeyOf, ed25519KeyOf } from '../../didcomm/keys.ts'
import { answerTo, isType, type Message } from '../../didcomm/message.ts'
import { readable } from '../../didcomm/opened-envelope.ts'
import { isRefused } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { sharedAddress } from './addresses.ts'
import type { MediatorPorts } from './mediator-ports.ts'
import { tooFast } from './rules.ts'
import { mailbox } from './state.ts'
import { type Answers, markOf, textOf, TOO_FAST } from './wallet-message.ts'

const PROTOCOL = 'coordinate-mediation/1.0'

type Ports = Pick<MediatorPorts, 'actors' | 'runtime' | 'publicUrl' | 'claims' | 'routingKey'>

/** Coordinate mediation 1.0 (RFC 0211) with a wallet that is connected. */
export const coordinateMediation = async (
  ports: Ports,
  address: string,
  message: Message,
): Promise<Answers> => {
  if (isType(message, PROTOCOL, 'mediate-request')) return [grant(ports, message)]
  if (isType(message, PROTOCOL, 'keylist-update')) return updateKeys(ports, address, message)
  if (isType(message, PROTOCOL, 'keylist-query')) return [await showKeys(ports, address, message)]
  return null
}

/** Every wallet gets the same address and the same key, so nothing in an envelope tells one from another. */
const grant = (ports: Ports, message: Message): string =>
  answerTo(message, 'mediate-grant', {
    endpoint: sharedAddress(ports),
    routing_keys: [didKeyOf(ports.routingKey.publicKeyBase58)],
  })

type Update = {
  /** As the wallet writes it, which the answer repeats. */
  readonly named: string
  readonly key: string | null
  readonly action: unknown
}

const updatesIn = ({ body }: Message): readonly Update[] =>
  listOf(body['updates'])
    .slice(0, limits.mailboxKeysMax)
    .filter(isJson)
    .map(({ recipient_key: named, action }) => {
      const text = textOf(named) ?? ''
      return { named: text, key: keyIn(text), action }
    })

/** Null for a text that names no key that an envelope could be sealed for. */
const keyIn = (text: string): string | null => {
  const key = ed25519KeyOf(text)
  return key !== null && readable(() => boxPublicKey(key)) !== null ? key : null
}

const updateKeys = async (ports: Ports, address: string, message: Message): Promise<Answers> => {
  const updates = updatesIn(message)
  const last = new Map<string, unknown>()
  const add: string[] = []
  for (const { key, action } of updates) {
    if (key === null || (action !== 'add' && action !== 'remove')) continue
    if (action === 'add') add.push(key)
    last.set(key, action)
  }
  const remove = [...last].flatMap(([key, action]) => (action === 'remove' ? [key] : []))
  const known = new Set((await keysOf(ports, address)).keys())
  const changed = await changeKeys(ports, address, { mark: markOf(message), add, remove })
  if (changed === TOO_FAST) return TOO_FAST
  const { held, isRepeated } = changed
  // One after the other: a key that is added is known to those that follow.
  const resultOf = ({ key, action }: Update): string => {
    if (key === null || (action !== 'add' && action !== 'remove')) return 'client_error'
    if (isRepeated) return resultNow(action, held.get(key))
    // Another wallet's key looks like one that nobody has.
    if (action === 'remove') return known.has(key) ? 'success' : 'no_change'
    if (!held.has(key)) return 'client_error'
    known.add(key)
    return 'success'
  }
  const updated = updates.map((update) => ({
    recipient_key: update.named,
    action: update.action,
    result: resultOf(update),
  }))
  return [answerTo(message, 'keylist-update-response', { updated })]
}

/** Of a message that has come before, as it stands now; undefined where the mailbox never had the key. */
const resultNow = (action: 'add' | 'remove', isActive: boolean | undefined): string => {
  if (action === 'add') return isActive === true ? 'success' : 'client_error'
  return isActive === false ? 'success' : 'no_change'
}

/** Whether it is written to now, of each key that the mailbox has had. */
type Held = Map<string, boolean>

const keysOf = async ({ actors }: Pick<Ports, 'actors'>, address: string): Promise<Held> => {
  const keys = await actors.read(mailbox.ref(address), { view: 'keys' })
  return new Map(isRefused(keys) ? [] : keys.map(({ key, isActive }) => [key, isActive]))
}

/**
 * Answers with the keys that the mailbox has then. It counts them before they are claimed, so a wallet never claims more
 * than it may have; those that turn out to be another wallet's are given up again. Messages find the mailbox by the claim,
 * which is there before the answer.
 */
const changeKeys = async (
  { actors, runtime, claims }: Ports,
  address: string,
  change: { readonly mark: string; readonly add: readonly string[]; readonly remove: readonly string[] },
): Promise<{ readonly held: Held; readonly isRepeated: boolean } | typeof TOO_FAST> => {
  const ref = mailbox.ref(address)
  const atMs = runtime.now()
  const changed = await actors.ask(
    ref,
    { type: 'ChangeKeys', atMs, ...change },
    { commandId: `keys:${runtime.newId()}`, tenant: null },
  )
  const isRepeated = isRefused(changed)
  if (isRepeated && changed.refused === tooFast.refused) return TOO_FAST
  const held = await keysOf({ actors }, address)
  // Of a message that is repeated as well: its node may have gone between the change and the claims.
  const claimed = await Promise.all(
    [...new Set(change.add)]
      .filter((key) => held.has(key))
      .map(async (key) => ({ key, isOwn: await claims.claim(key, address) })),
  )
  const foreign = claimed.flatMap(({ key, isOwn }) => (isOwn ? [] : [key]))
  if (foreign.length === 0) return { held, isRepeated }
  await actors.ask(
    ref,
    { type: 'GiveUpKeys', atMs, keys: foreign },
    { commandId: `give-up:${runtime.newId()}`, tenant: null },
  )
  for (const key of foreign) held.delete(key)
  return { held, isRepeated }
}

const showKeys = async ({ actors }: Ports, address: string, message: Message): Promise<string> => {
  const keys = await actors.read(mailbox.ref(address), { view: 'keys' })
  const active = isRefused(keys) ? [] : keys.filter(({ isActive }) => isActive)
  const paginate = isJson(message.body['paginate']) ? message.body['paginate'] : {}
  const offset = wholeNumber(paginate['offset'], 0)
  const shown = active.slice(offset, offset + wholeNumber(paginate['limit'], limits.mailboxKeysMax))
  return answerTo(message, 'keylist', {
    keys: shown.map(({ key }) => ({ recipient_key: didKeyOf(key) })),
    pagination: {
      count: shown.length,
      offset,
      remaining: Math.max(0, active.length - offset - shown.length),
    },
  })
}

const wholeNumber = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : otherwise
