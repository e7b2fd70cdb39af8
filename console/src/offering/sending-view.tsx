import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Notice, reasonOf } from '../parts/notice.tsx'
import { counted, fill, numberText, texts } from '../texts/texts.ts'
import { SaveOutcomes } from './save-outcomes.tsx'
import { sentOf, type Sending } from './send-offers.ts'
import { SentParts } from './sent-parts.tsx'
import type { SendingState } from './use-sending.ts'

type SendingViewProps = {
  readonly sending: Sending
  readonly state: SendingState
  readonly onStop: () => void
  readonly onGo: () => void
  /** To the form again, for another table. */
  readonly onLeave: () => void
}

const said = texts.many.sending

/** How far a table is on its way, and what became of its parts. */
export const SendingView = ({ sending, state, onStop, onGo, onLeave }: SendingViewProps) => {
  const { isUnderWay, waitSeconds, interrupted } = state
  const sent = sentOf(sending)
  const isWhole = sent === sending.total
  const heading = useRef<HTMLHeadingElement>(null)
  // Whatever was pressed is gone with the form.
  useEffect(() => heading.current?.focus(), [])
  const values = { sent: numberText(sent), total: numberText(sending.total) }
  return (
    <div class="stack wide">
      <section class="card stack">
        <h2 ref={heading} tabIndex={-1}>
          {isWhole ? said.wholeTitle : fill(said.title, { name: sending.name })}
        </h2>
        <progress value={sent} max={sending.total} aria-label={texts.many.progress} />
        <p role="status">
          {isWhole ? counted(said.whole, sending.total) : fill(said.counts, values)}
          {waitSeconds !== null && ` ${fill(said.waits, { seconds: numberText(waitSeconds) })}`}
        </p>
        {isUnderWay && <p class="quiet small">{said.stay}</p>}
        {interrupted && (
          <Notice tone="bad" title={said.interrupted}>
            <p>{fill(said.part, partText(interrupted))}</p>
            <p>{reasonOf(interrupted.problem)}</p>
          </Notice>
        )}
        <div class="row">
          {isUnderWay && <Button onPress={onStop}>{said.stop}</Button>}
          {!isUnderWay && !isWhole && (
            <Button look="main" onPress={onGo}>
              {counted(said.rest, sending.total - sent)}
            </Button>
          )}
          {!isUnderWay && (
            <Button look={isWhole ? 'main' : 'plain'} onPress={onLeave}>
              {isWhole ? said.another : said.leave}
            </Button>
          )}
          {isWhole && <SaveOutcomes name="offers" parts={sending.jobs} />}
        </div>
      </section>
      {sending.jobs.length > 0 && <SentParts parts={sending.jobs} isLinked={!isUnderWay} />}
    </div>
  )
}

const partText = ({ firstLine, lastLine }: { firstLine: number; lastLine: number }) => ({
  first: numberText(firstLine),
  last: numberText(lastLine),
})
