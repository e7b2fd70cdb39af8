import { limits } from '../../../domain/limits.ts'

export type SocketSettings = {
  /** Sockets of this node, and of them those of one network address. */
  readonly socketsMax: number
  readonly socketsOfNetworkMax: number
  /**
   * Of both, those whose other side has not shown who it is. What has come of a message that is not whole yet is kept by
   * the library, and nobody can count it.
   */
  readonly strangersMax: number
  readonly strangersOfNetworkMax: number
  /** What such a one may say at once. */
  readonly strangerMessageBytesMax: number
  /** How often all sockets are looked at, in so many parts, so that no moment has all the work. */
  readonly roundMs: number
  readonly partsOfRound: number
  /** Rounds without a word after which a socket is pinged, and after which it is given up. */
  readonly roundsToPing: number
  readonly roundsToSilence: number
  /** Rounds that the other side has to show who it is. */
  readonly roundsToShow: number
  /** Rounds in which nothing leaves of what waits for the other side. */
  readonly roundsToRead: number
  /** What may wait to be read by the other side of a socket, and of all of them. */
  readonly unreadBytesMax: number
  readonly unreadBytesOfAllMax: number
  /** From so much on nothing more is sent before it was read. */
  readonly behindBytes: number
  /** Messages of a socket that wait while one is being worked at. */
  readonly waitingMax: number
  readonly pingsMax: number
}

/** Of all sockets these parts may be strangers at the same time: they show who they are by their first message. */
const [STRANGERS, STRANGERS_OF_NETWORK] = [40, 16]

export const socketPlaces = (
  socketsMax: number,
  socketsOfNetworkMax: number,
): Pick<SocketSettings, 'socketsMax' | 'socketsOfNetworkMax' | 'strangersMax' | 'strangersOfNetworkMax'> => ({
  socketsMax,
  socketsOfNetworkMax,
  strangersMax: Math.ceil(socketsMax / STRANGERS),
  strangersOfNetworkMax: Math.ceil(socketsOfNetworkMax / STRANGERS_OF_NETWORK),
})

export const socketDefaults: SocketSettings = {
  ...socketPlaces(20_000, 1_000),
  strangerMessageBytesMax: limits.strangerEnvelopeBytesMax,
  roundMs: 10_000,
  partsOfRound: 20,
  roundsToPing: 3,
  roundsToSilence: 6,
  roundsToShow: 6,
  roundsToRead: 3,
  unreadBytesMax: 2 * limits.envelopeBytesMax,
  unreadBytesOfAllMax: 134_217_728,
  // More than what Node takes before it says that it is full, so that it also says when it is empty.
  behindBytes: 262_144,
  waitingMax: 64,
  pingsMax: 256,
}
