import type { TimelineItem } from '../api/generated/operations.ts'
import type { Loaded } from '../state/use-answer.ts'
import { ProblemNotice } from '../parts/notice.tsx'
import { Moment } from '../parts/moment.tsx'
import { fill, texts, wordsOf } from '../texts/texts.ts'

const said = texts.timeline

/** Step by step what has happened to a record, the oldest first. */
export const Timeline = ({
  loaded,
}: {
  readonly loaded: Loaded<{ readonly items: readonly TimelineItem[] }>
}) => {
  const { problem, isLoading } = loaded
  const body = isLoading ? null : loaded.body
  return (
    <section class="card" aria-label={texts.records.timeline}>
      <h2>{texts.records.timeline}</h2>
      {body === null && <ProblemNotice problem={problem} />}
      {body?.items.length === 0 && <p class="quiet">{texts.records.timelineNone}</p>}
      <ol class="timeline">
        {body?.items.map((item, index) => (
          <li key={index} class={item.kind}>
            <span class="what">{whatHappened(item)}</span>
            <span class="quiet small">
              <Moment at={item.at} />
              {item.detail !== null && item.kind !== 'event' && ` · ${item.detail}`}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

const whatHappened = ({ kind, name }: TimelineItem): string => {
  const known = kind === 'state' ? wordsOf(texts.states, name) : name
  return fill(wordsOf(said, kind), { name: known })
}
