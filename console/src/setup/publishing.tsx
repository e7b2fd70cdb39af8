import { Button } from '../parts/button.tsx'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { usePerson } from '../state/session.tsx'
import { useOrder } from '../state/use-order.ts'
import { texts, wordsOf } from '../texts/texts.ts'

const SETTLED: readonly string[] = ['published', 'deprecated', 'failed']
const WATCHED_MS = 1_500
const RESTING_MS = 30_000

/** Somebody who looks on while something is published waits for it. */
export const publishingPace = (status: string | undefined): number =>
  status !== undefined && SETTLED.includes(status) ? RESTING_MS : WATCHED_MS

type PublishingProps = {
  readonly id: string
  readonly status: string
  readonly lastError: string | null
  readonly retry: 'retrySchema' | 'retryCredentialDefinition'
  readonly onRetried: () => void
}

/** What is going on with something that is to be on the ledger, and what the person may do about it. */
export const Publishing = ({ id, status, lastError, retry, onRetried }: PublishingProps) => {
  const order = useOrder(retry)
  const { mayChange } = usePerson()
  const again = async (): Promise<void> => {
    if ((await order.give({ path: { id } })) !== null) onRetried()
  }
  const said = wordsOf(texts.publishing, status)
  if (said === status) return null
  return (
    <Notice {...(status === 'failed' && { tone: 'bad' as const })}>
      <p>{said}</p>
      {lastError !== null && <p>{lastError}</p>}
      <ProblemNotice problem={order.problem} />
      {status === 'failed' && mayChange && (
        <div class="row">
          <Button isBusy={order.isUnderWay} onPress={() => void again()}>
            {texts.common.tryAgain}
          </Button>
        </div>
      )}
    </Notice>
  )
}
