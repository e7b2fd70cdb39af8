import type { IncomingMessage } from 'node:http'
import { connect, type TLSSocket } from 'node:tls'
import { WebSocket } from 'ws'
import type { Runtime } from '../../../ports/runtime.ts'
import { type DialOptions, LinkRefused, type Peer, type ProvedWire } from '../wire.ts'
import {
  channelOf,
  type Greeting,
  headerOf,
  isProof,
  type LinkVersions,
  PATH,
  PROOF,
  proofOf,
  readRefusal,
  readWelcome,
  REFUSED,
  SAID,
  say,
  versionRefusal,
} from './greeting.ts'
import type { LinkSecret } from './secret.ts'
import type { LinkSecrets } from './secret-file.ts'
import { TLS } from './tls.ts'
import { webSocketWire } from './web-socket-wire.ts'

export type DialParts = {
  readonly node: string
  /** Of this process; null while it has no lease, and then it neither dials nor accepts. */
  readonly incarnation: () => string | null
  /** Whether the process that shows itself is the one that has the name. */
  readonly isNow: (node: string, incarnation: string) => Promise<boolean>
  readonly secrets: LinkSecrets
  readonly versions: LinkVersions
  readonly runtime: Runtime
  readonly messageBytesMax: number
}

/** Reaches the other node, proves this one and has it prove itself, all before the first message. */
export const dialPeer = async (
  parts: DialParts,
  peer: Peer,
  dial: number,
  { signal, mayBeOld }: DialOptions,
): Promise<ProvedWire> => {
  const incarnation = parts.incarnation()
  if (incarnation === null) throw new Error('this node has no lease')
  const { secret, stream } = await withOneOf(parts.secrets, peer.address, mayBeOld, signal)
  try {
    const proved = await introduced(parts, { peer, dial, incarnation, secret, stream, signal })
    if (await parts.isNow(proved.node, proved.incarnation)) return proved
    throw new LinkRefused('lease', `The process that answers for ${peer.node} is not the one with its lease.`)
  } catch (error) {
    stream.destroy()
    throw error
  }
}

type Encrypted = { readonly secret: LinkSecret; readonly stream: TLSSocket }

/** While secrets change, the other node may not know the one yet that this one proves itself with. */
const withOneOf = async (
  secrets: LinkSecrets,
  address: string,
  mayBeOld: boolean,
  signal: AbortSignal,
): Promise<Encrypted> => {
  const [first, old] = secrets.all()
  try {
    return await encrypted(address, first, signal)
  } catch (error) {
    if (!(error instanceof SecretNotTaken) || old === undefined || !mayBeOld) throw error
    return encrypted(address, old, signal)
  }
}

/** Somebody was there, and ended the connection before it was encrypted. */
class SecretNotTaken extends Error {
  override readonly name = 'SecretNotTaken'
}

const encrypted = (address: string, secret: LinkSecret, signal: AbortSignal): Promise<Encrypted> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const { tlsKey, id } = secret
    let isReached = false
    const stream = connect({
      ...hostAndPort(address),
      ...TLS,
      pskCallback: () => ({ psk: tlsKey, identity: id }),
      // Called only where the other side shows a certificate instead of knowing the secret.
      checkServerIdentity: () => new Error('a node has no certificate'),
    })
    const abort = (): void => void stream.destroy(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    const fail = (error: Error): void =>
      reject(
        isReached && !signal.aborted
          ? new SecretNotTaken('the node ended the handshake', { cause: error })
          : error,
      )
    stream.setNoDelay(true)
    stream.once('connect', () => {
      isReached = true
    })
    stream.once('secureConnect', () => {
      signal.removeEventListener('abort', abort)
      resolve({ secret, stream })
    })
    // It stays for as long as the stream: an error without a listener would end the process.
    stream.on('error', fail)
    stream.once('close', () => {
      signal.removeEventListener('abort', abort)
      fail(new Error('the node closed the connection'))
    })
  })

type Call = {
  readonly peer: Peer
  readonly dial: number
  readonly incarnation: string
  readonly secret: LinkSecret
  readonly stream: TLSSocket
  readonly signal: AbortSignal
}

const introduced = (parts: DialParts, call: Call): Promise<ProvedWire> => {
  const { peer, dial, incarnation, secret, stream, signal } = call
  signal.throwIfAborted()
  const { node, versions, runtime, secrets, messageBytesMax } = parts
  const channel = channelOf(stream)
  const greeting: Greeting = {
    node,
    peer: peer.node,
    incarnation,
    dial,
    atMs: runtime.monotonicMs(),
    ...versions,
  }
  const said = say(greeting)
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://node${PATH}`, {
      createConnection: () => stream,
      headers: { [SAID]: said, [PROOF]: proofOf(secret, 'dialer', channel, said) },
      perMessageDeflate: false,
      maxPayload: messageBytesMax,
      followRedirects: false,
      // Masks protect what lies between against browsers; inside TLS there is nothing, and zeros cost nothing.
      generateMask: (mask) => mask.fill(0),
    })
    socket.binaryType = 'nodebuffer'
    const abort = (): void => socket.terminate()
    signal.addEventListener('abort', abort, { once: true })
    const fail = (error: Error): void => {
      reject(error)
      socket.terminate()
    }
    // It stays for as long as the socket: an error without a listener would end the process.
    socket.on('error', reject)
    socket.once('close', () => reject(new Error('the node closed the connection')))
    socket.once('unexpected-response', (_request, response) => fail(refusalIn(response)))
    let theirs: Welcomed | null = null
    socket.once('upgrade', (response) => {
      try {
        theirs = welcomed(response, { parts, peer, secret, channel, said })
      } catch (error) {
        fail(error as Error)
      }
    })
    socket.once('open', () => {
      signal.removeEventListener('abort', abort)
      if (theirs === null) return fail(new Error('the node has not answered'))
      const secretState = () => secrets.stateOf(secret.id)
      const wire = webSocketWire(socket, stream, runtime)
      resolve({ ...theirs, node: peer.node, dial, secretState, wire })
    })
  })
}

type Heard = {
  readonly parts: DialParts
  readonly peer: Peer
  readonly secret: LinkSecret
  readonly channel: Buffer
  readonly said: string
}

type Welcomed = Pick<ProvedWire, 'incarnation' | 'speaks' | 'greeted'>

/** What the other side is, once it has proved itself. */
const welcomed = ({ headers }: IncomingMessage, { parts, peer, secret, channel, said }: Heard): Welcomed => {
  const answered = headerOf(headers, SAID)
  const wanted = proofOf(secret, 'acceptor', channel, said, answered)
  if (!isProof(headerOf(headers, PROOF), wanted))
    throw new LinkRefused('proof', `What answers for ${peer.node} does not prove that it is a node.`)
  const welcome = readWelcome(answered)
  if (welcome?.node !== peer.node)
    throw new LinkRefused('name', `The address of ${peer.node} belongs to another node.`)
  const refusal = versionRefusal(parts.node, parts.versions, welcome.node, welcome)
  if (refusal !== null) throw refusal
  const greeted = { sentAtMs: welcome.atMs, arrivedAtMs: parts.runtime.monotonicMs() }
  return { incarnation: welcome.incarnation, speaks: welcome.speaks, greeted }
}

const refusalIn = ({ headers }: IncomingMessage): Error => {
  const refused = headerOf(headers, REFUSED)
  return refused === '' ? new Error('the node did not answer as one') : readRefusal(refused)
}

const hostAndPort = (address: string): { readonly host: string; readonly port: number } => {
  const at = address.lastIndexOf(':')
  const host = address.slice(0, Math.max(at, 0)).replace(/^\[(.*)\]$/, '$1')
  const port = Number(address.slice(at + 1))
  if (host === '' || !Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error('the address of the node is not host:port')
  return { host, port }
}
