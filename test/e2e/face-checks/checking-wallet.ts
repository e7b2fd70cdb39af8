import { expect, vi } from 'vitest'
import type { Wallet } from '../../../sdk/wallet/create-wallet.ts'
import { sendInThread, takeMessages } from '../../../sdk/wallet/other-messages.ts'
import type { Scene } from '../../../tools/vendors/people/camera.ts'
import { WAIT } from '../running-service.ts'

const PREFIX = 'urn:vouchsafe:didcomm/'
const PROTOCOL = 'biometric-check/1.0'
const NAMES = ['required', 'session', 'again', 'over'] as const

type Json = Readonly<Record<string, unknown>>
type Heard = { readonly name: (typeof NAMES)[number]; readonly message: Json }

/** What the vendor's SDK in the app does with what it was told. */
export type Capture = (session: Json, scene?: Scene) => Promise<unknown>

/** A wallet that speaks the protocol of face checks, and does what a test says. */
export const checkingWallet = (wallet: Wallet, capture: Capture) => {
  const heard: Heard[] = []
  for (const name of NAMES)
    takeMessages(wallet, `${PROTOCOL}/${name}`, (message) => heard.push({ name, message }), PREFIX)
  const of = (name: Heard['name']): readonly Json[] =>
    heard.filter((each) => each.name === name).map(({ message }) => message)
  /** The check of an exchange. */
  const checkOf = (exchangeId: string): Promise<string> =>
    vi.waitFor(() => {
      const found = of('required').find((each) => (each['~thread'] as Json)?.['pthid'] === exchangeId)
      expect(found).toBeDefined()
      return String(found?.['@id'])
    }, WAIT)
  const inCheck = (checkId: string, name: Heard['name']): readonly Json[] =>
    of(name).filter((each) => (each['~thread'] as Json)?.['thid'] === checkId)
  const say = (name: string, checkId: string): Promise<void> =>
    sendInThread(wallet, `${PROTOCOL}/${name}`, checkId, PREFIX)
  const begin = async (checkId: string): Promise<Json> => {
    const before = inCheck(checkId, 'session').length
    await say('begin', checkId)
    return vi.waitFor(() => {
      const sessions = inCheck(checkId, 'session')
      expect(sessions.length).toBeGreaterThan(before)
      return sessions.at(-1)?.['session'] as Json
    }, WAIT)
  }
  return {
    checkOf,
    inCheck,
    say,
    begin,
    /** One session with one capture in it. */
    attempt: async (checkId: string, scene?: Scene): Promise<void> => {
      await capture(await begin(checkId), scene)
      await say('captured', checkId)
    },
    hears: (checkId: string, name: Heard['name'], times = 1): Promise<void> =>
      vi.waitFor(() => expect(inCheck(checkId, name)).toHaveLength(times), WAIT),
  }
}
