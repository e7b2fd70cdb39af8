import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Wiretap } from './wiretap.ts'

/**
 * What becomes of what one node sends to another. Held bytes arrive late, as those of a network that comes back do;
 * swallowed ones never, and their connection ends when the cut is over.
 */
export type Harm = 'held' | 'swallowed'
/** Closed: every connection of the two ends, and none is made. */
export type Cut =
  | { readonly way: 'one' | 'both'; readonly how: Harm }
  | { readonly way: 'both'; readonly how: 'closed' }

export type RelayPlace = {
  readonly node: string
  /** Where the other nodes are told that it is. */
  readonly port: number
  /** Where it is. */
  readonly linkPort: () => number
}

type Gate = Harm | 'open'
type DialerOf = (fromPort: number, toPort: number) => string | null
type Hears = (bytes: Buffer) => void

const HOST = '127.0.0.1'

/** Who has no wiretap reads nothing of what passes. */
const deaf: Pick<Wiretap, 'ear'> = { ear: () => () => undefined }

/** The ways between all nodes, in each direction, with a relay before each node. */
export const openLinks = async (
  places: readonly RelayPlace[],
  dialer: DialerOf,
  wiretap: Pick<Wiretap, 'ear'> = deaf,
) => {
  const gates = new Map<string, Gate>()
  const closed = new Set<string>()
  const joints = new Set<Joint>()
  const gateOf = (from: string, to: string): Gate => gates.get(`${from}>${to}`) ?? 'open'

  const accept = ({ node, port, linkPort }: RelayPlace, incoming: Socket): void => {
    incoming.on('error', () => incoming.destroy())
    const from = dialer(incoming.remotePort ?? 0, port)
    if (from === null || closed.has(pairOf(from, node))) return void incoming.destroy()
    const outgoing = connect({ host: HOST, port: linkPort(), allowHalfOpen: true, noDelay: true })
    const joint = new Joint(
      new Way(incoming, outgoing, () => gateOf(from, node), wiretap.ear(`${from} → ${node}`)),
      new Way(outgoing, incoming, () => gateOf(node, from), wiretap.ear(`${node} → ${from}`)),
      pairOf(from, node),
    )
    joints.add(joint)
    joint.whenOver(() => joints.delete(joint))
  }

  const servers = places.map((place) => ({
    place,
    server: createServer({ allowHalfOpen: true, noDelay: true }, (incoming) => accept(place, incoming)),
  }))
  for (const { place, server } of servers) await once(server.listen(place.port, HOST), 'listening')

  /** What comes from `one` to `other` suffers it, and where both ways do also what goes back. Answers how to mend it. */
  const cut = (one: string, other: string, { way, how }: Cut): (() => void) => {
    const pair = pairOf(one, other)
    const ofPair = (): Joint[] => [...joints].filter((joint) => joint.pair === pair)
    if (how === 'closed') {
      closed.add(pair)
      for (const joint of ofPair()) joint.end()
      return () => void closed.delete(pair)
    }
    const ways = way === 'both' ? [`${one}>${other}`, `${other}>${one}`] : [`${one}>${other}`]
    for (const each of ways) gates.set(each, how)
    for (const joint of ofPair()) joint.look()
    return () => {
      for (const each of ways) gates.delete(each)
      for (const joint of ofPair()) joint.look()
    }
  }
  const close = async (): Promise<void> => {
    for (const joint of joints) joint.end()
    await Promise.all(servers.map(({ server }) => once(server.close(), 'close')))
  }
  return { cut, connections: () => joints.size, close }
}

export type Links = Awaited<ReturnType<typeof openLinks>>

const pairOf = (one: string, other: string): string => [one, other].toSorted().join('-')

/** The bytes of one direction of one connection. */
class Way {
  readonly source: Socket
  readonly #sink: Socket
  readonly #gate: () => Gate
  readonly #hears: Hears
  #hasLost = false

  constructor(source: Socket, sink: Socket, gate: () => Gate, hears: Hears) {
    this.source = source
    this.#sink = sink
    this.#gate = gate
    this.#hears = hears
    source.on('data', (bytes: Buffer) => this.#pass(bytes))
    source.on('end', () => {
      if (this.#isSwallowed()) return
      sink.end()
    })
    sink.on('drain', () => this.look())
    this.look()
  }

  /** False where bytes are missing for good, so that what follows would make no sense. */
  look(): boolean {
    const gate = this.#gate()
    if (gate === 'held' || this.#sink.writableNeedDrain) this.source.pause()
    else this.source.resume()
    return gate !== 'open' || !this.#hasLost
  }

  #pass(bytes: Buffer): void {
    this.#hears(bytes)
    if (!this.#isSwallowed() && !this.#sink.write(bytes)) this.source.pause()
  }

  #isSwallowed(): boolean {
    const isSwallowed = this.#gate() === 'swallowed'
    this.#hasLost ||= isSwallowed
    return isSwallowed
  }
}

/** A connection of one node with another: both directions. */
class Joint {
  readonly pair: string
  readonly #ways: readonly Way[]
  #over: () => void = () => undefined

  constructor(there: Way, back: Way, pair: string) {
    this.pair = pair
    this.#ways = [there, back]
    for (const { source } of this.#ways) {
      source.on('error', () => this.end())
      source.once('close', () => this.#closed())
    }
  }

  whenOver(over: () => void): void {
    this.#over = over
  }

  look(): void {
    if (this.#ways.map((way) => way.look()).includes(false)) this.end()
  }

  end(): void {
    for (const { source } of this.#ways) source.destroy()
    this.#over()
  }

  #closed(): void {
    if (this.#ways.every(({ source }) => source.destroyed)) this.#over()
  }
}
