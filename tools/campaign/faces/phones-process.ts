// Several phones with a camera in one process: each a Credo wallet that takes what it is offered and does the checks of
// its holder's face, whatever becomes of the service meanwhile.
import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { AutomaticHolder } from '../../../sdk/wallet/automatic-holder.ts'
import { createWallet, type Wallet, type WalletOptions } from '../../../sdk/wallet/create-wallet.ts'
import { sendInThread, takeMessages } from '../../../sdk/wallet/other-messages.ts'
import { sendToStarter } from '../../harness/module-host.ts'
import { captureForAws } from '../../vendors/aws/device.ts'
import { captureForAzure } from '../../vendors/azure/device.ts'
import type { Scene } from '../../vendors/people/camera.ts'

type Json = Readonly<Record<string, unknown>>

/** What a phone has done for one check. */
export type Checked = {
  readonly checkId: string
  /** The sessions of which it was told, and those in which something was captured, in order. */
  readonly told: readonly string[]
  readonly captured: readonly string[]
}

/** Messages that carried a credential: of which exchange, and what exactly it was. */
export type Received = { readonly threadId: string; readonly sha256: string }

type Told = { readonly name: (typeof NAMES)[number]; readonly message: Json }
type Phone = {
  readonly wallet: Wallet
  readonly told: Told[]
  readonly received: Received[]
  /** Exchanges that went on to their end. */
  readonly over: Set<string>
  readonly awsUrl: string
}

const PREFIX = 'urn:vouchsafe:didcomm/'
const PROTOCOL = 'biometric-check/1.0'
const NAMES = ['required', 'session', 'again', 'over'] as const
const CREDENTIAL_MESSAGE = 'https://didcomm.org/issue-credential/2.0/issue-credential'
const CONNECT_TIMEOUT_MS = 10 * 60_000
const LIMIT_MS = 5 * 60_000
const LOOK_MS = 50
/** What is not answered is said again: a message that came while the service was dead is lost. */
const SAID_AGAIN_MS = 3_000

const phones = new Map<number, Phone>()

const phoneOf = (number: number): Phone => {
  const phone = phones.get(number)
  if (!phone) throw new Error(`phone ${number} was not opened`)
  return phone
}

export const open = async (number: number, options: WalletOptions, awsUrl: string): Promise<void> => {
  const wallet = await createWallet(options)
  const phone: Phone = { wallet, told: [], received: [], over: new Set(), awsUrl }
  phones.set(number, phone)
  wallet.agent.didcomm.registerMessageHandlerMiddleware(async ({ message }, next) => {
    if (message.type === CREDENTIAL_MESSAGE) {
      const content = JSON.stringify((message.toJSON() as Json)['credentials~attach'])
      phone.received.push({ threadId: message.threadId, sha256: hash('sha256', content) })
    }
    await next()
  })
  for (const name of NAMES)
    takeMessages(
      wallet,
      `${PROTOCOL}/${name}`,
      (message) => {
        // What comes a second time has the id that it had.
        if (phone.told.some(({ message: known }) => known['@id'] === message['@id'])) return
        phone.told.push({ name, message })
        sendToStarter(name)
      },
      PREFIX,
    )
  void new AutomaticHolder(wallet, { offers: 'accept', proofs: 'accept' }, ({ threadId, state }) => {
    if (state === 'done') phone.over.add(threadId)
    sendToStarter(state)
  })
}

export const connect = async (number: number, invitationUrl: string): Promise<void> => {
  const { oob, connections } = phoneOf(number).wallet.agent.didcomm
  const { connectionRecord } = await oob.receiveInvitationFromUrl(invitationUrl, { label: 'Phone' })
  if (!connectionRecord) throw new Error('the invitation led to no connection')
  await connections.returnWhenIsConnected(connectionRecord.id, { timeoutMs: CONNECT_TIMEOUT_MS })
}

/**
 * Captures once for each scene, and begins one more session in the end where the organisation is about to cancel. Comes
 * back when the service has said what came of the last one.
 */
export const check = async (
  number: number,
  exchangeId: string,
  { scenes, isLeft }: { readonly scenes: readonly Scene[]; readonly isLeft: boolean },
): Promise<Checked> => {
  const phone = phoneOf(number)
  const required = await until('no check was required', () => requiredFor(phone, exchangeId))
  const checkId = String(required['@id'])
  const captured: string[] = []
  const used = new Set<string>()
  const begin = async (): Promise<Json> => {
    const say = () => tell(phone, 'begin', checkId)
    const session = await until('no session came', () => freshSession(phone, checkId, used), say)
    used.add(idOf(session))
    return session
  }
  for (const scene of scenes) {
    const words = wordsIn(phone, checkId).length
    for (let isDone = false; !isDone; ) {
      const session = await begin()
      // One that is over by now takes nothing, and another has to be begun.
      isDone = await capture(phone, session, scene).then(
        () => captured.push(idOf(session)) > 0,
        () => false,
      )
    }
    const wentOn = (): true | null =>
      phone.over.has(exchangeId) ||
      wordsIn(phone, checkId).length > words ||
      freshSession(phone, checkId, used) !== null ||
      null
    await until('nothing came of a capture', wentOn, () => tell(phone, 'captured', checkId))
  }
  if (isLeft) await begin()
  return { checkId, told: [...used], captured }
}

export const report = (number: number): readonly Received[] => phoneOf(number).received

const until = async <Found>(
  otherwise: string,
  look: () => Found | null,
  say: () => Promise<void> = async () => undefined,
): Promise<Found> => {
  const startedMs = performance.now()
  for (let saidMs = Number.NEGATIVE_INFINITY; ; await pause(LOOK_MS)) {
    const found = look()
    if (found !== null) return found
    const nowMs = performance.now()
    if (nowMs - startedMs > LIMIT_MS) throw new Error(otherwise)
    if (nowMs - saidMs < SAID_AGAIN_MS) continue
    saidMs = nowMs
    await say().catch(() => undefined)
  }
}

const requiredFor = ({ told }: Phone, exchangeId: string): Json | null =>
  told.find(({ name, message }) => name === 'required' && threadOf(message)['pthid'] === exchangeId)
    ?.message ?? null

const inCheck = ({ told }: Phone, checkId: string): readonly Told[] =>
  told.filter(({ message }) => threadOf(message)['thid'] === checkId)

const wordsIn = (phone: Phone, checkId: string): readonly Told[] =>
  inCheck(phone, checkId).filter(({ name }) => name === 'again' || name === 'over')

const freshSession = (phone: Phone, checkId: string, used: ReadonlySet<string>): Json | null => {
  const newest = inCheck(phone, checkId).findLast(({ name }) => name === 'session')
  const session = newest?.message['session'] as Json | undefined
  return session === undefined || used.has(idOf(session)) ? null : session
}

const threadOf = (message: Json): Json => (message['~thread'] ?? {}) as Json

/** Azure tells a device no more than a token; that of the one who plays it says for which session. */
const idOf = ({ sessionId, authToken }: Json): string => {
  if (typeof sessionId === 'string') return sessionId
  const claims = Buffer.from(String(authToken).split('.')[1] ?? '', 'base64url').toString()
  return String((JSON.parse(claims) as Json)['sid'])
}

const tell = ({ wallet }: Phone, name: string, checkId: string): Promise<void> =>
  sendInThread(wallet, `${PROTOCOL}/${name}`, checkId, PREFIX)

const capture = async ({ awsUrl }: Phone, session: Json, scene: Scene): Promise<void> => {
  if (session['vendor'] === 'azure_face') {
    await captureForAzure({ authToken: String(session['authToken']), scene })
    return
  }
  await captureForAws({
    endpoint: awsUrl,
    region: String(session['region']),
    sessionId: String(session['sessionId']),
    credentials: {
      accessKeyId: String(session['accessKeyId']),
      secretAccessKey: String(session['secretAccessKey']),
      sessionToken: String(session['sessionToken']),
    },
    scene,
  })
}
