import { eventTypes } from '../api/generated/operations.ts'
import { LiveEvents } from './live-events.ts'

/** The stream of this tab. */
export const liveEvents = new LiveEvents(eventTypes, () => new EventSource('/v1/events/stream'))

document.addEventListener('visibilitychange', () => liveEvents.lookedAt(!document.hidden))

/** Whether somebody looks at the page. */
export const sight = {
  isSeen: (): boolean => !document.hidden,
  whenSeen: (listener: () => void): (() => void) => {
    const seen = (): void => {
      if (!document.hidden) listener()
    }
    document.addEventListener('visibilitychange', seen)
    return () => document.removeEventListener('visibilitychange', seen)
  },
}
