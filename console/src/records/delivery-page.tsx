import { useRoute } from 'preact-iso'
import type { WebhookAttempt, WebhookDeliveryWithAttempts } from '../api/generated/operations.ts'
import { StateBadge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Copyable } from '../parts/copy-button.tsx'
import { Facts } from '../parts/facts.tsx'
import { Moment } from '../parts/moment.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { usePerson } from '../state/session.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { useOrder } from '../state/use-order.ts'
import { usePace } from '../state/use-pace.ts'
import { fill, numberText, texts } from '../texts/texts.ts'
import { RecordView } from './record-view.tsx'

const said = texts.delivery
const LIST = { to: '/console/deliveries', text: texts.pages.deliveries }
const EVERY_MS = 5_000

export const DeliveryPage = () => {
  const { id = '' } = useRoute().params
  const loaded = useAnswer('getWebhookDelivery', { path: { id } }, { everyMs: usePace(EVERY_MS) })
  const retry = useOrder('retryWebhookDelivery')
  const { mayChange } = usePerson()
  const sendAgain = async (): Promise<void> => {
    if ((await retry.give({ path: { id } })) !== null) loaded.again()
  }
  return (
    <RecordView loaded={loaded} list={LIST}>
      {(delivery) => (
        <>
          <PageHead title={delivery.eventType} back={LIST} beside={<StateBadge state={delivery.status} />}>
            {mayChange && (
              <Button isBusy={retry.isUnderWay} onPress={() => void sendAgain()}>
                {said.sendAgain}
              </Button>
            )}
          </PageHead>
          <ProblemNotice problem={retry.problem} />
          <div class="two">
            <Attempts delivery={delivery} />
            <About delivery={delivery} />
          </div>
        </>
      )}
    </RecordView>
  )
}

const About = ({ delivery }: { delivery: WebhookDeliveryWithAttempts }) => (
  <section class="card">
    <h2>{texts.records.about}</h2>
    <Facts
      facts={[
        { name: texts.records.id, value: <Copyable text={delivery.id} what={texts.records.id} /> },
        { name: said.event, value: <code>{delivery.eventId}</code> },
        { name: texts.deliveries.record, value: <Record {...delivery} /> },
        { name: said.url, value: delivery.url && <code>{delivery.url}</code> },
        {
          name: texts.deliveries.attempts,
          value: fill(texts.deliveries.attemptsOf, {
            attempts: delivery.attempts,
            maxAttempts: delivery.maxAttempts,
          }),
        },
        {
          name: texts.deliveries.next,
          value: delivery.nextAttemptAt && <Moment at={delivery.nextAttemptAt} />,
        },
        { name: texts.records.createdAt, value: <Moment at={delivery.createdAt} /> },
        { name: texts.records.updatedAt, value: <Moment at={delivery.updatedAt} /> },
      ]}
    />
  </section>
)

const PLACES: Readonly<Record<string, string>> = {
  connection: 'connections',
  credential: 'credentials',
  proof: 'proofs',
}

const Record = ({ recordType, recordId }: Pick<WebhookDeliveryWithAttempts, 'recordType' | 'recordId'>) => {
  const place = PLACES[recordType]
  const id = <code>{recordId}</code>
  return place === undefined ? id : <a href={`/console/${place}/${encodeURIComponent(recordId)}`}>{id}</a>
}

/** What was answered is whatever a stranger's program says: text and nothing else. */
const Attempts = ({ delivery: { attemptLog } }: { delivery: WebhookDeliveryWithAttempts }) => (
  <section class="card">
    <h2>{texts.deliveries.attempts}</h2>
    {attemptLog.length === 0 && <p class="quiet">{said.noAttempts}</p>}
    <ol class="timeline">
      {attemptLog.toReversed().map((attempt) => (
        <li key={attempt.at}>
          <span class="what">{outcomeOf(attempt)}</span>
          <span class="quiet small">
            <Moment at={attempt.at} /> · {fill(said.took, { ms: numberText(attempt.latencyMs) })}
          </span>
          {attempt.answer !== null && <code class="answer">{attempt.answer}</code>}
        </li>
      ))}
    </ol>
  </section>
)

const outcomeOf = ({ status, error }: WebhookAttempt): string => {
  if (error !== null) return status === null ? error : `${status} · ${error}`
  return status === null ? said.noAnswer : fill(said.answered, { status })
}
