import type { Overview } from '../api/generated/operations.ts'
import { ProblemNotice } from '../parts/notice.tsx'
import type { Loaded } from '../state/use-answer.ts'
import { texts } from '../texts/texts.ts'
import { ListCard } from './list-card.tsx'
import type { Period } from './period.ts'
import { PeriodChoice } from './period-choice.tsx'

type HappenedProps = { readonly loaded: Loaded<Overview>; readonly period: Period }

const said = texts.overview

/** What came of everything in a period: how much of it well, why the rest did not, and what waits longest. */
export const Happened = ({ loaded: { body, problem }, period }: HappenedProps) => (
  <section class="stack" aria-label={said.happened}>
    <div class="row apart">
      <h2>{said.happened}</h2>
      <PeriodChoice chosen={period} />
    </div>
    <ProblemNotice problem={problem} />
    {body && (
      <div class="cards">
        {body.lists.map((list) => (
          <ListCard key={list.recordType} list={list} from={body.from} to={body.to} />
        ))}
      </div>
    )}
  </section>
)
