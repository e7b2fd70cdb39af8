import { deliverTo } from '../didcomm/deliver.ts'
import type { Outbound } from '../egress/outbound.ts'
import type { Runtime } from '../ports/runtime.ts'
import type { Deliver } from '../ports/wallets.ts'

const SEND_TIMEOUT_MS = 30_000
const ANSWER_BYTES_MAX = 4_096

/** The way of messages to the endpoints of wallets. */
export const deliverByHttp = (outbound: Outbound, runtime: Pick<Runtime, 'newId'>): Deliver =>
  deliverTo({
    newId: () => runtime.newId(),
    send: async (url, body, signal) => {
      const headers = { 'Content-Type': 'application/didcomm-envelope-enc' }
      const limits = { timeoutMs: SEND_TIMEOUT_MS, answerBytesMax: ANSWER_BYTES_MAX }
      const { status } = await outbound.post({ url, headers, body, ...limits, signal })
      if (status < 200 || status > 299) throw new Error(`the wallet's endpoint answered ${status}`)
    },
  })
