import { useState } from 'preact/hooks'
import { StateBadge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { placeOf } from '../state/places.ts'
import { useAnswer } from '../state/use-answer.ts'
import { useOrder } from '../state/use-order.ts'
import { texts } from '../texts/texts.ts'

const said = texts.webhook
const WATCHED_MS = 1_500

/** A test event, followed until it has arrived or has not. */
export const TestWebhook = ({ mayChange }: { readonly mayChange: boolean }) => {
  const [id, setId] = useState<string | null>(null)
  const order = useOrder('testWebhook')
  const { body } = useAnswer(
    'getWebhookDelivery',
    { path: { id: id ?? '' } },
    { everyMs: WATCHED_MS, isWanted: id !== null },
  )
  const test = async (): Promise<void> => {
    const made = await order.give({})
    if (made !== null) setId(made.id)
  }
  if (!mayChange) return null
  return (
    <section class="card stack">
      <h2>{said.testTitle}</h2>
      <p class="quiet">{said.test}</p>
      <ProblemNotice problem={order.problem} />
      <div class="row" role="status">
        <Button isBusy={order.isUnderWay} onPress={() => void test()}>
          {said.sendTest}
        </Button>
        {id !== null && body !== null && (
          <>
            <StateBadge state={body.status} />
            <span>{body.lastError ?? ''}</span>
            <a href={placeOf.delivery(body.id)}>{said.toDelivery}</a>
          </>
        )}
      </div>
    </section>
  )
}
