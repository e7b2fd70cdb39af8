import { useLocation } from 'preact-iso'
import { LinkButton } from '../parts/button.tsx'
import { Notice } from '../parts/notice.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { usePace } from '../state/use-pace.ts'
import { counted, texts } from '../texts/texts.ts'

const said = texts.deliveries
const EVERY_MS = 15_000

/** What was given up comes first, above whatever the list shows: nothing is tried any more unless somebody wants it. */
export const GivenUp = () => {
  const { query } = useLocation()
  const { body } = useAnswer(
    'listWebhookDeliveries',
    { query: { status: 'dead' } },
    { everyMs: usePace(EVERY_MS) },
  )
  if (body === null || body.total === 0 || query['status'] === 'dead') return null
  return (
    <Notice tone="warn" title={counted(said.givenUp, body.total)}>
      <div class="row">
        <span>{said.givenUpHint}</span>
        <LinkButton to="/console/deliveries?status=dead" isSmall>
          {said.showGivenUp}
        </LinkButton>
      </div>
    </Notice>
  )
}
