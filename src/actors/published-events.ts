import type { PublishedEvent } from '../http/openapi/webhooks.ts'
import type { Kind } from './define-kind.ts'
import { recordErasedEvent } from './erased-records.ts'
import { webhookTestEvent } from './webhook-delivery/trial.ts'

/** Every event that organisations can hear of, as the description of the API shows it. */
export const publishedEventsOf = (kinds: readonly Kind[]): readonly PublishedEvent[] => [
  ...kinds.flatMap(({ published }) => published?.events ?? []),
  recordErasedEvent,
  webhookTestEvent,
]
