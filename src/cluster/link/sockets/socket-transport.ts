import type { Runtime } from '../../../ports/runtime.ts'
import type { Log } from '../../../telemetry/logger.ts'
import { BATCH_HEAD_BYTES, FRAME_HEAD_BYTES_MAX } from '../batch.ts'
import { onceAMinute } from '../once-a-minute.ts'
import { BATCH_BYTES } from '../outbox.ts'
import type { Transport } from '../wire.ts'
import { type Acceptor, acceptNodes } from './accept.ts'
import { dialPeer } from './dial.ts'
import { LINK_VERSIONS, type LinkVersions } from './greeting.ts'
import type { LinkSecrets } from './secret-file.ts'
import type { StrangerLimits } from './strangers.ts'

export const strangerDefaults: StrangerLimits = { unprovedMax: 64, unprovedMs: 3_000 }

export type SocketParts = {
  /** The name of this node, which it proves. */
  readonly node: string
  /** Of the lease of this process; null while it has none. */
  readonly incarnation: () => string | null
  /** Whether the process that shows itself is the one that has the name. */
  readonly isNow: (node: string, incarnation: string) => Promise<boolean>
  readonly host: string
  /** 0 lets the system choose one. */
  readonly port: number
  readonly secrets: LinkSecrets
  readonly runtime: Runtime
  readonly log: Log
  /** Of one request or answer, as the link has it. */
  readonly bodyBytesMax: number
  readonly limits?: StrangerLimits
  readonly versions?: LinkVersions
}

export type SocketTransport = Transport & {
  /** Where it listens, once it has started. */
  readonly port: () => number
  /** Connections that ended without a proof, for metrics. */
  readonly strangers: () => number
  /** Connections that have proved nothing yet. */
  readonly unproved: () => number
}

/** WebSockets over TLS on a port of their own. */
export const socketTransport = (given: SocketParts): SocketTransport => {
  const { node, runtime, log, bodyBytesMax, limits = strangerDefaults, versions = LINK_VERSIONS } = given
  const messageBytesMax = Math.max(bodyBytesMax, BATCH_BYTES) + BATCH_HEAD_BYTES + FRAME_HEAD_BYTES_MAX
  const parts = { ...given, limits, versions, messageBytesMax }
  const isToLog = onceAMinute(() => runtime.monotonicMs())
  let acceptor: Acceptor | null = null
  return {
    start: async (accepted) => {
      acceptor = await acceptNodes({
        ...parts,
        accepted,
        refused: (other, { why }) => {
          const count = isToLog(`${other} ${why}`)
          if (count !== null) log('link.refused', { node: other, code: why, count })
        },
      })
    },
    dial: (peer, dial, options) => dialPeer(parts, peer, dial, options),
    stop: async () => acceptor?.[Symbol.asyncDispose](),
    port: () => {
      if (acceptor === null) throw new Error(`the link of ${node} has not started`)
      return acceptor.port
    },
    strangers: () => acceptor?.strangers.count ?? 0,
    unproved: () => acceptor?.strangers.unproved ?? 0,
  }
}
