import { RecipientBusy } from '../../host/effects/not-begun.ts'
import type { FaceVendor, Obstacle, ReferenceImage, VendorAccount } from '../../ports/face-vendor.ts'
import { accountOfCheck } from '../biometric-policy/account.ts'
import type { BodyPorts } from '../bodies.ts'
import { type HolderPorts, RecipientGone } from '../connection/for-exchanges.ts'
import type { KindPorts } from '../kind-ports.ts'
import { EndpointLimiters } from '../webhook-delivery/endpoint-limiter.ts'
import { openImage } from './images.ts'
import { VendorPauses } from './pauses.ts'
import type { FaceCheckRecord } from './state.ts'

export type DeskPorts = HolderPorts & BodyPorts & Pick<KindPorts, 'faceVendors'>

/** Of one organisation at once. Its vendor takes seconds for a call, and one that hangs is tried by one call alone. */
const LANE = {
  atOnceMax: 16,
  atOnceFailingMax: 1,
  failuresMax: 4,
  waitingMax: 64,
  waitingTotalMax: 4_096,
} as const

/** A vendor that does not answer for so long has another installation than this one. */
const NO_VENDOR_MS = 60_000

type Answered = { readonly kind: string }
type Call<Answer> = (vendor: FaceVendor, account: VendorAccount) => Promise<Answer | Obstacle>

/** Where checks meet their vendors: each organisation has a lane and a breaker of its own. */
export class VendorDesk {
  readonly ports: DeskPorts
  readonly lanes: EndpointLimiters
  readonly #pauses = new VendorPauses()

  constructor(ports: DeskPorts) {
    this.ports = ports
    this.lanes = new EndpointLimiters(LANE, ports.runtime)
  }

  /** The answer, or the pause after which the same is owed again: thrown, as that of a recipient that is busy. */
  async ask<Answer extends Answered>(
    what: string,
    check: FaceCheckRecord,
    call: Call<Answer>,
    leftMs?: number,
  ): Promise<Exclude<Answer, Obstacle>> {
    const vendor = this.ports.faceVendors[check.vendor]
    if (vendor === undefined) throw new RecipientBusy(NO_VENDOR_MS)
    const account = await accountOfCheck(this.ports, check)
    const startedMs = this.ports.runtime.monotonicMs()
    const answer = await call(vendor, account)
    const isAnswered = answer.kind !== 'away'
    this.lanes.of(check.tenant).note(isAnswered, this.ports.runtime.monotonicMs() - startedMs)
    if (isObstacle(answer)) throw this.#pauses.after(what, answer, leftMs)
    // A session of which nothing has come yet is asked for less and less often.
    if (answer.kind !== 'not-yet') this.#pauses.clear(what)
    return answer as Exclude<Answer, Obstacle>
  }

  /** Nothing has come of a session yet, and something still may. */
  notYet(what: string, leftMs: number): RecipientBusy {
    return this.#pauses.after(what, 'not-yet', leftMs)
  }

  /** The image of a check; without its key there is nobody left to check. */
  async imageOf(checkId: string, { image }: FaceCheckRecord): Promise<ReferenceImage> {
    const opened = await openImage(this.ports, checkId, image)
    if (opened === null) throw new RecipientGone()
    return opened
  }
}

const isObstacle = (answer: Answered): answer is Obstacle =>
  answer.kind === 'away' || answer.kind === 'refused'
