// Many wallets behind a mediator, and an issuer that writes to them, in one process.
import { type HttpLoadResult, run } from './http.ts'
import { type Backend, inviteInstallation } from './installations.ts'
import { LightWallet, sealedMessages } from './light-wallet.ts'

/** As large as an offer of five attributes in its envelope. */
const MESSAGE_BYTES = 6_000
const ARRIVAL_LIMIT_MS = 60_000
const POLLING_CONNECTIONS_MAX = 256

const wallets: LightWallet[] = []
const sealed = sealedMessages(MESSAGE_BYTES)
/** For each wallet, by its place: the messages that were pushed and not yet asked for by the benchmark, and the callers that wait for the next message. */
const pushed = new Map<number, { arrived: number; wake: () => void }>()
let messages = 0

/** A wallet for each invitation, so many under way at a time. */
export async function register(invitationUrls: readonly string[], atOnce: number): Promise<void> {
  await inParallel(invitationUrls.length, atOnce, async (index) => {
    wallets.push(await LightWallet.register(invitationUrls[index] ?? ''))
  })
}

/** So many installations of an organisation's app, each with its wallet. */
export async function install(backend: Backend, count: number, atOnce: number): Promise<void> {
  await inParallel(count, atOnce, async () => {
    wallets.push(await LightWallet.register(await inviteInstallation(backend)))
  })
}

/** So many messages to wallets in turn, each forwarded, then fetched and acknowledged by pickup 2.0 over HTTP. */
export async function forwardAndPickUp(count: number, atOnce: number): Promise<void> {
  const lanes = Math.min(atOnce, wallets.length)
  await inParallel(lanes, lanes, async (lane) => {
    for (let index = lane; index < count; index += lanes) {
      const wallet = walletAt(lane)
      await forward(wallet)
      const waiting = await wallet.waiting()
      await wallet.acknowledge(waiting)
      if (waiting.length !== 1)
        throw new Error(`a wallet found ${waiting.length} messages where one was sent`)
    }
  })
}

/**
 * So many messages to wallets in turn, each forwarded while its wallet has no socket; the wallet opens one, is pushed the
 * message and says something more, which is its acknowledgement.
 */
export async function forwardAndCome(count: number, atOnce: number): Promise<void> {
  const lanes = Math.min(atOnce, wallets.length)
  await inParallel(lanes, lanes, async (lane) => {
    const wallet = walletAt(lane)
    for (let index = lane; index < count; index += lanes) {
      await forward(wallet)
      const { promise, resolve } = Promise.withResolvers<void>()
      let arrived = 0
      await wallet.openSocket('implicit', () => {
        arrived += 1
        resolve()
      })
      await withinLimit(promise, 'a message was never pushed')
      wallet.ping(true)
      await withinLimit(wallet.ponged, 'a ping was never answered')
      if (arrived !== 1) throw new Error(`${arrived} messages were pushed where one was sent`)
      wallet.socket?.close()
      await wallet.closed
    }
  })
}

/** So many messages to wallets in turn, each forwarded, then pushed on the socket that the wallet has open. */
export async function forwardAndPush(count: number, atOnce: number): Promise<void> {
  const lanes = Math.min(atOnce, wallets.length)
  await inParallel(lanes, lanes, async (lane) => {
    for (let index = lane; index < count; index += lanes) {
      const arrival = nextArrival(lane)
      await forward(walletAt(lane))
      await arrival
    }
  })
}

/** A socket each for the first so many wallets; every other one in live mode where `mode` is `both`. */
export async function openSockets(count: number, mode: 'implicit' | 'both', atOnce: number): Promise<number> {
  await inParallel(count, atOnce, async (index) => {
    const arrivals = { arrived: 0, wake: () => undefined }
    pushed.set(index, arrivals)
    const own = mode === 'both' && index % 2 === 1 ? 'live' : 'implicit'
    await walletAt(index).openSocket(own, () => {
      arrivals.arrived += 1
      arrivals.wake()
    })
  })
  return openNow()
}

export function openNow(): number {
  return wallets.filter(({ socket }) => socket?.readyState === socket?.OPEN && socket !== null).length
}

export async function closeSockets(): Promise<void> {
  for (const wallet of wallets) {
    wallet.socket?.terminate()
    wallet.socket = null
  }
  pushed.clear()
}

/** The first so many wallets ask in turn what waits for them, so often in a second all together. */
export async function poll(count: number, perS: number, durationMs: number): Promise<HttpLoadResult> {
  const requests = wallets.slice(0, count).map((wallet) => wallet.statusRequest())
  const { port } = walletAt(0)
  // A connection that is used less than once in a second might be closed by the server before it is used again.
  const connections = Math.min(POLLING_CONNECTIONS_MAX, Math.ceil(perS))
  return run({ port, connections, durationMs, requests, perS })
}

const forward = async (wallet: LightWallet): Promise<void> => {
  const status = await wallet.forward(sealed((messages += 1)))
  if (status < 200 || status > 299) throw new Error(`a message was answered ${status}`)
}

const nextArrival = async (index: number): Promise<void> => {
  const arrivals = pushed.get(index)
  if (arrivals === undefined) throw new Error(`wallet ${index} has no socket`)
  const before = arrivals.arrived
  const { promise, resolve } = Promise.withResolvers<void>()
  arrivals.wake = resolve
  await withinLimit(promise, 'a message was never pushed')
  if (arrivals.arrived !== before + 1) throw new Error('a message was pushed more than once')
}

const withinLimit = async (work: Promise<void>, sentence: string): Promise<void> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(sentence)), ARRIVAL_LIMIT_MS)
  await Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

const walletAt = (index: number): LightWallet => {
  const wallet = wallets[index]
  if (wallet === undefined) throw new Error(`there is no wallet ${index}`)
  return wallet
}

const inParallel = async (
  count: number,
  atOnce: number,
  work: (index: number) => Promise<void>,
): Promise<void> => {
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await work(index)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker))
}
