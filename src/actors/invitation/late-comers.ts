import { LRUCache } from 'lru-cache'
import type { Received } from '../../didcomm/opened-envelope.ts'
import type { Runtime } from '../../ports/runtime.ts'

/** Some 10 MB at most; the invitation that was longest without a late-comer is forgotten first. */
const INVITATIONS_MAX = 20_000
const DAY_MS = 86_400_000
/** Each is written to at an address of its own choice. */
const HEARD_MAX = 6

const tooLate = { reason: 'This invitation is not open to you: it was for one holder.' } as const

/**
 * Who heard by a problem report that an invitation for one holder was used before. A wallet waits for a message, so the
 * first few of a day get one, each for one request; others read the reason in the answer to their request alone.
 */
export class LateComers {
  readonly #runtime: Pick<Runtime, 'monotonicMs'>
  readonly #heard = new LRUCache<string, { readonly sinceMs: number; readonly requests: Set<string> }>({
    max: INVITATIONS_MAX,
  })

  constructor(runtime: Pick<Runtime, 'monotonicMs'>) {
    this.#runtime = runtime
  }

  /** `report` says whether it was taken. Who has heard is answered as one who was: its request is not to come again. */
  answer(invitationId: string, requestName: string, report: (text: string) => Received): Received {
    const requests = this.#requestsOf(invitationId)
    if (requests.has(requestName)) return 'accepted'
    if (requests.size >= HEARD_MAX) return tooLate
    const received = report(tooLate.reason)
    if (received === 'accepted') requests.add(requestName)
    return received
  }

  #requestsOf(invitationId: string): Set<string> {
    const nowMs = this.#runtime.monotonicMs()
    const known = this.#heard.get(invitationId)
    if (known !== undefined && nowMs - known.sinceMs < DAY_MS) return known.requests
    const requests = new Set<string>()
    this.#heard.set(invitationId, { sinceMs: nowMs, requests })
    return requests
  }
}
