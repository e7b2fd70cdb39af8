import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { LinkRefused, refusals, type Refusal } from '../wire.ts'
import type { LinkSecret } from './secret.ts'

/**
 * Which forms of batches and frames a release speaks, and of what nodes write for each other. A change that an older release
 * cannot read raises `speaks`.
 */
export type LinkVersions = { readonly speaks: number; readonly oldest: number }
/**
 * Of 1 the incarnation had nothing to do with a lease, so its nodes cannot be told from strangers under their names. Of 2 a
 * message in a mailbox is opened by the mailbox's key alone.
 */
export const LINK_VERSIONS: LinkVersions = { speaks: 3, oldest: 2 }
/** From this version on any node opens it with the key of its exchange. */
export const OPENS_WITH_KEYS_OF_EXCHANGES = 3

/** What the one who dials says first. Its form stays as it is for ever; what comes in addition is ignored. */
export type Greeting = LinkVersions & {
  readonly node: string
  /** The name that it expects at the other end. */
  readonly peer: string
  readonly incarnation: string
  readonly dial: number
  /** On the monotonic clock of the one who says it. */
  readonly atMs: number
}

/** What the other side answers. The proof over it covers the greeting as well. */
export type Welcome = LinkVersions & {
  readonly node: string
  readonly incarnation: string
  readonly atMs: number
}

export const PATH = '/vouchsafe-link'
export const SAID = 'vouchsafe-said'
export const PROOF = 'vouchsafe-proof'
export const REFUSED = 'vouchsafe-refused'
const NAME_CHARACTERS_MAX = 255
const EXPORTED_BYTES = 32

/** The keys of both directions of a TLS connection follow from what is exported: whoever ends TLS in between has others. */
export const channelOf = (socket: TLSSocket): Buffer =>
  socket.exportKeyingMaterial(EXPORTED_BYTES, 'EXPORTER-vouchsafe-link', Buffer.alloc(0))

/**
 * Proves the secret on this very channel for these very words. The role is part of it, so that no side's proof can be
 * sent back to it as the other's.
 */
export const proofOf = (
  { proofKey }: LinkSecret,
  role: 'dialer' | 'acceptor',
  channel: Buffer,
  ...said: readonly string[]
): string => {
  const mac = createHmac('sha256', proofKey).update(`vouchsafe link ${role}\n`).update(channel)
  for (const words of said) mac.update(`${words.length}\n`).update(words)
  return mac.digest('base64url')
}

export const isProof = (given: string, wanted: string): boolean => {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)]
  return one.length === other.length && timingSafeEqual(one, other)
}

export const say = (words: Greeting | Welcome): string =>
  Buffer.from(JSON.stringify(words)).toString('base64url')

export const headerOf = (headers: IncomingHttpHeaders, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

/** Null where it is none. */
export const readGreeting = (said: string): Greeting | null => {
  const words = readWords(said)
  if (words === null) return null
  const { node, peer, incarnation, dial, atMs, speaks, oldest } = words
  return isName(node) &&
    isName(peer) &&
    isName(incarnation) &&
    isCount(dial) &&
    isTime(atMs) &&
    isCount(speaks) &&
    isCount(oldest)
    ? { node, peer, incarnation, dial, atMs, speaks, oldest }
    : null
}

export const readWelcome = (said: string): Welcome | null => {
  const words = readWords(said)
  if (words === null) return null
  const { node, incarnation, atMs, speaks, oldest } = words
  return isName(node) && isName(incarnation) && isTime(atMs) && isCount(speaks) && isCount(oldest)
    ? { node, incarnation, atMs, speaks, oldest }
    : null
}

const readWords = (said: string): Readonly<Record<string, unknown>> | null => {
  try {
    const words: unknown = JSON.parse(Buffer.from(said, 'base64url').toString())
    return typeof words === 'object' && words !== null ? (words as Record<string, unknown>) : null
  } catch {
    return null
  }
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= NAME_CHARACTERS_MAX
const isTime = (value: unknown): value is number => Number.isFinite(value)
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

/** Why the one who was dialed does not want a dialer that has proved itself; null where it does. */
export const refusalOf = (own: string, versions: LinkVersions, greeting: Greeting): LinkRefused | null => {
  const { node, peer } = greeting
  if (peer !== own) return new LinkRefused('name', `This is ${own}, not ${peer}.`)
  if (node >= own)
    return new LinkRefused('role', `${node} dials ${own}: of two nodes the one with the smaller name dials.`)
  return versionRefusal(own, versions, node, greeting)
}

export const versionRefusal = (
  own: string,
  ours: LinkVersions,
  node: string,
  theirs: LinkVersions,
): LinkRefused | null => {
  if (Math.min(ours.speaks, theirs.speaks) >= Math.max(ours.oldest, theirs.oldest)) return null
  const range = ({ speaks, oldest }: LinkVersions): string => `${oldest} to ${speaks}`
  return new LinkRefused(
    'version',
    `${own} speaks the versions ${range(ours)} of the link and ${node} ${range(theirs)}: upgrade by one version at a time.`,
  )
}

/** What the other side gave as its reason. */
export const readRefusal = (value: string): LinkRefused => {
  const at = value.indexOf(': ')
  const known: Refusal = refusals.find((each) => each === value.slice(0, at)) ?? 'proof'
  return new LinkRefused(known, value.slice(at + 2))
}
