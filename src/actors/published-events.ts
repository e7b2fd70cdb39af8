import type { PublishedEvent } from '../http/openapi/webhooks.ts'
import { words } from '../http/route/fields.ts'
import type { Kind } from './define-kind.ts'
import { recordErasedEvent } from './erased-records.ts'
import { eventData, ownName, placeInRecord } from './state-changed.ts'
import { tags } from './tags.ts'

/** An event of the contract that nothing sends yet: there is no mediator. */
const announced: readonly Omit<PublishedEvent, 'tag'>[] = [
  {
    type: 'wallet.sync_requested',
    summary: 'The mediator holds messages for a wallet: wake the app',
    data: eventData({
      walletId: words('The wallet whose app should be woken.', 'wal_9k2m4p6r8t1v3x5z7b9d1f3h'),
      externalId: ownName,
      ...placeInRecord,
    }),
  },
]

/** Every event that organisations can hear of, as the description of the API shows it. */
export const publishedEventsOf = (kinds: readonly Kind[]): readonly PublishedEvent[] => [
  ...kinds.flatMap(({ published }) => published?.events ?? []),
  ...announced.map((event) => ({ ...event, tag: tags.webhooks })),
  recordErasedEvent,
]
