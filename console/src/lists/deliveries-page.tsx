import { useState } from 'preact/hooks'
import { eventTypes, type WebhookDelivery } from '../api/generated/operations.ts'
import { StateBadge } from '../parts/badge.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Moment } from '../parts/moment.tsx'
import { placeOf } from '../state/places.ts'
import { usePerson } from '../state/session.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { fill, texts } from '../texts/texts.ts'
import { choicesOf } from './connections-page.tsx'
import { GivenUp } from './given-up.tsx'
import { ListPage } from './list-page.tsx'
import { SendAgainDialog } from './send-again-dialog.tsx'
import type { Column } from '../parts/table.tsx'

const said = texts.deliveries
const columns: readonly Column<WebhookDelivery>[] = [
  {
    title: said.event,
    cell: ({ id, eventType }) => <a href={placeOf.delivery(id)}>{eventType}</a>,
    look: 'tight',
  },
  { title: said.record, cell: ({ recordId }) => <code>{recordId}</code> },
  { title: texts.records.state, cell: ({ status }) => <StateBadge state={status} />, look: 'tight' },
  {
    title: said.attempts,
    cell: ({ attempts, maxAttempts }) => fill(said.attemptsOf, { attempts, maxAttempts }),
    look: 'tight',
  },
  {
    title: said.lastAnswer,
    cell: ({ lastResponseStatus, lastError }) =>
      lastError ?? lastResponseStatus ?? <span class="quiet">–</span>,
  },
  { title: said.next, cell: ({ nextAttemptAt }) => <Moment at={nextAttemptAt} />, look: 'tight' },
  { title: texts.records.createdAt, cell: ({ createdAt }) => <Moment at={createdAt} />, look: 'tight' },
]

/** Whoever has set a webhook already needs something to happen, and no other webhook. */
const NoDelivery = () => {
  const { mayChange } = usePerson()
  const { body: webhook, isLoading } = useAnswer('getWebhook', {})
  const isSet = typeof webhook?.url === 'string'
  return (
    <Empty title={said.emptyTitle} text={isSet ? said.emptyThoughSet : said.empty}>
      {mayChange && !isSet && !isLoading && (
        <LinkButton to="/console/webhook" look="main">
          {said.setWebhook}
        </LinkButton>
      )}
    </Empty>
  )
}

export const DeliveriesPage = () => {
  const { mayChange } = usePerson()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <ListPage
        operation="listWebhookDeliveries"
        title={texts.pages.deliveries}
        lead={said.lead}
        filters={[
          { is: 'search', hint: said.searchHint },
          {
            is: 'choice',
            name: 'status',
            label: texts.records.state,
            choices: choicesOf(['dead', 'pending', 'delivered']),
          },
          {
            is: 'choice',
            name: 'eventType',
            label: said.event,
            choices: eventTypes.map((value) => ({ value, text: value })),
          },
          { is: 'day', name: 'from' },
          { is: 'day', name: 'to' },
          { is: 'given', name: 'recordId', label: said.ofRecord },
        ]}
        columns={columns}
        actions={mayChange && <Button onPress={() => setAsking(true)}>{texts.sendAgain.button}</Button>}
        empty={<NoDelivery />}
      >
        <GivenUp />
      </ListPage>
      {isAsking && <SendAgainDialog onClose={() => setAsking(false)} />}
    </>
  )
}
