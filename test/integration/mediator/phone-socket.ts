import { WebSocket } from 'ws'
import { deliveredIn, HandMadeWallet, type Json, openWith } from '../../actors/mailbox/hand-made-wallet.ts'

/** The socket of a hand-made wallet: what it says, and what comes on it. */
export class PhoneSocket {
  readonly ws: WebSocket
  readonly wallet: HandMadeWallet
  /** Envelopes, as they came. */
  readonly received: string[] = []
  code: number | null = null

  constructor(base: string, phone: HandMadeWallet) {
    const { pathname } = new URL(phone.mailbox.address)
    this.ws = new WebSocket(`${base.replace(/^http/, 'ws')}${pathname}`, { perMessageDeflate: false })
    this.wallet = new HandMadeWallet(async (_, envelope) => {
      this.ws.send(envelope)
      return null
    }, phone.own)
    this.wallet.mailbox = phone.mailbox
    this.ws.on('message', (data: Buffer) => void this.received.push(data.toString()))
    this.ws.on('close', (code) => {
      this.code = code
    })
  }

  static async open(base: string, phone: HandMadeWallet): Promise<PhoneSocket> {
    const socket = new PhoneSocket(base, phone)
    await new Promise((resolve, reject) => {
      socket.ws.once('open', resolve)
      socket.ws.once('error', reject)
    })
    socket.ws.on('error', () => undefined)
    return socket
  }

  /** What came that was sealed for the phone itself, in clear. */
  get answers(): readonly Json[] {
    return this.received.flatMap((envelope) => {
      try {
        return [openWith(this.wallet.own, envelope)]
      } catch {
        return []
      }
    })
  }

  /** What came in deliveries. */
  get delivered() {
    return this.answers.flatMap((answer) => deliveredIn(answer))
  }
}
