import { useLocation } from 'preact-iso'
import type { NodeHealth } from '../api/generated/operations.ts'
import { ListCard } from '../overview/list-card.tsx'
import { PeriodChoice } from '../overview/period-choice.tsx'
import { periodOf, spanOf } from '../overview/period.ts'
import { StateBadge } from '../parts/badge.tsx'
import { Moment } from '../parts/moment.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { fill, texts } from '../texts/texts.ts'
import { figuresOf } from './figures.ts'

const said = texts.health
const NODES_EVERY_MS = 5_000
const COUNTS_EVERY_MS = 30_000

/** How the service is: every node with the metrics that matter, and what happened in all organisations together. */
export const HealthPage = () => {
  const { body, problem } = useAnswer('getServiceHealth', {}, { everyMs: NODES_EVERY_MS })
  return (
    <>
      <PageHead
        title={texts.pages.health}
        lead={said.lead}
        beside={body !== null && <StateBadge state={body.status} />}
      />
      <ProblemNotice problem={problem} />
      <div class="cards">
        {body?.nodes.map((node) => (
          <Node key={node.id} node={node} />
        ))}
      </div>
      <Happened />
    </>
  )
}

const Node = ({ node: { id, status, startedAt, draining, parts, figures } }: { node: NodeHealth }) => (
  <section class="card stack" aria-label={fill(said.node, { id })}>
    <div class="row apart">
      <h2>{fill(said.node, { id })}</h2>
      <StateBadge state={status} />
    </div>
    <p class="small quiet">
      {said.since} <Moment at={startedAt} />
      {draining === true && ` · ${said.draining}`}
    </p>
    <ul class="row parts">
      {parts.map(({ name, status: state, detail }) => (
        <li key={name} class="small">
          {name} <StateBadge state={state} />
          {detail !== null && <div class="quiet">{withMoments(detail)}</div>}
        </li>
      ))}
    </ul>
    {figures !== null && (
      <dl class="figures">
        {figuresOf(figures).map(({ name, value }) => (
          <div key={name}>
            <dt class="quiet small">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    )}
  </section>
)

const TIME = /(\d{4}-\d\d-\d\dT[\d:.]+Z)/

/** A text of the service with its times as the page writes times: every second part is one. */
const withMoments = (text: string) =>
  text.split(TIME).map((part, index) => (index % 2 === 1 ? <Moment key={index} at={part} /> : part))

const Happened = () => {
  const period = periodOf(useLocation().query)
  const { body, problem } = useAnswer(
    'getOperatorOverview',
    { query: spanOf(period) },
    { everyMs: COUNTS_EVERY_MS },
  )
  return (
    <section class="stack" aria-label={texts.overview.happened}>
      <div class="row apart">
        <h2>{said.happened}</h2>
        <PeriodChoice chosen={period} />
      </div>
      <ProblemNotice problem={problem} />
      <div class="cards">
        {body?.lists.map((list) => (
          <ListCard key={list.recordType} list={list} from={body.from} to={body.to} />
        ))}
      </div>
    </section>
  )
}
