import { AnswerTooLong, EgressFailed, EgressRefused } from '../egress/failures.ts'
import type { Obstacle, VendorAway, VendorRefused } from '../ports/face-vendor.ts'

/** A redirect is never followed: what is sent is an image, and keys. */
export class Redirected extends Error {
  override readonly name = 'Redirected'
}

export const away = (why: VendorAway['why'], retryAfterMs: number | null = null): VendorAway => ({
  kind: 'away',
  why,
  retryAfterMs,
})

export const refused = (what: VendorRefused['what'], sentence: string): VendorRefused => ({
  kind: 'refused',
  what,
  sentence,
})

/** What is told where a host name does not exist, which only the adapter knows where it comes from. */
export type NoSuchHost = () => VendorRefused

/** What a call that brought no answer comes to. An error that is none of the way out is null. */
export const obstacleOnTheWay = (error: unknown, noSuchHost: NoSuchHost): Obstacle | null => {
  if (error instanceof Redirected) return away('redirected')
  if (error instanceof AnswerTooLong) return away('unreadable')
  if (error instanceof EgressRefused)
    return refused('endpoint', `The endpoint is not called: ${error.message}.`)
  if (!(error instanceof EgressFailed)) return null
  return causeOf(error) === 'ENOTFOUND' ? noSuchHost() : away('unreachable')
}

const causeOf = ({ cause }: EgressFailed): unknown => (cause as NodeJS.ErrnoException | undefined)?.code
