import type { PublishedEvent } from '../http/openapi/webhooks.ts'
import { choice, moment, words } from '../http/route/fields.ts'
import type { Kind } from './define-kind.ts'
import { eventData, ownName, placeInRecord } from './state-changed.ts'
import { tags } from './tags.ts'

/** Events of the contract that nothing sends yet: there is neither a mediator nor an erasure route. */
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
  {
    type: 'record.erased',
    summary: 'The personal data of a record was erased on request',
    data: eventData({
      recordType: choice(['connection', 'credential', 'proof'], 'What kind of record it was.', 'credential'),
      recordId: words('The record, which stays without its personal data.', 'cre_5f8d2k4m6p7q9r1s3t5v0w2y'),
      erasedAt: moment('When it was erased.'),
      initiator: choice(['api_key', 'tenant_member', 'operator'], 'On whose request.'),
      ...placeInRecord,
    }),
  },
]

/** Every event that organisations can hear of, as the description of the API shows it. */
export const publishedEventsOf = (kinds: readonly Kind[]): readonly PublishedEvent[] => [
  ...kinds.flatMap(({ published }) => published?.events ?? []),
  ...announced.map((event) => ({ ...event, tag: tags.webhooks })),
]
