import type { Obstacle, VendorAway } from '../ports/face-vendor.ts'

const AWAY: Readonly<Record<VendorAway['why'], string>> = {
  unreachable: 'The vendor did not answer, or not in time.',
  throttled: 'The vendor takes no more requests for this account at the moment.',
  broken: 'The vendor reports an error of its own.',
  redirected: 'The endpoint leads to another address, and redirects are not followed.',
  unreadable: 'The vendor’s answer is not what its documents describe.',
  contradictory: 'The vendor’s answer is about something else than was asked.',
}

/** What stands in the way, for people of the organisation. */
export const obstacleSentence = (obstacle: Obstacle): string =>
  obstacle.kind === 'away' ? AWAY[obstacle.why] : obstacle.sentence
