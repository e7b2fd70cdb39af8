import type { OperatorOverviewOfList, OverviewOfList } from '../api/generated/operations.ts'
import { StateBadge } from '../parts/badge.tsx'
import { Moment } from '../parts/moment.tsx'
import { Plot } from '../parts/plot.tsx'
import { placeOf } from '../state/places.ts'
import { fill, numberText, texts, wordsOf } from '../texts/texts.ts'
import { outcomesOf, rateOf, reasonsOf, sumOf } from './outcomes.ts'

type ListCardProps = {
  readonly list: OverviewOfList | OperatorOverviewOfList
  readonly from: string
  readonly to: string
}

const said = texts.overview
const WORDS: Readonly<
  Record<string, { readonly title: string; readonly good: string; readonly bad: string }>
> = said.lists

/** One kind of records: how they ended over time, why they failed, and which waits longest. */
export const ListCard = ({ list, from, to }: ListCardProps) => {
  const outcomes = outcomesOf(list)
  const words = WORDS[list.recordType]
  if (outcomes === null || words === undefined) return null
  const { good, bad } = outcomes
  const rate = rateOf(outcomes)
  const counted = { good: numberText(sumOf(good)), bad: numberText(sumOf(bad)) }
  return (
    <section class="card stack" aria-label={words.title}>
      <div class="row apart">
        <h3>{words.title}</h3>
        {rate !== null && <strong>{fill(said.rate, { rate })}</strong>}
      </div>
      {rate === null ? (
        <p class="small quiet">{said.nothingEnded}</p>
      ) : (
        <>
          <p class="small">{fill(said.counted, { ...counted, goodly: words.good, badly: words.bad })}</p>
          <Plot
            label={fill(said.plot, { title: words.title, goodly: words.good, badly: words.bad })}
            series={[
              { name: words.good, look: 'good', counts: good },
              { name: words.bad, look: 'bad', counts: bad },
            ]}
            from={from}
            to={to}
          />
        </>
      )}
      <Reasons list={list} />
      <Oldest list={list} />
    </section>
  )
}

const Reasons = ({ list }: Pick<ListCardProps, 'list'>) => {
  const reasons = reasonsOf(list)
  if (reasons.length === 0) return null
  return (
    <div class="stack tight small">
      <strong>{said.failures}</strong>
      <ul class="reasons">
        {reasons.map(({ code, count }) => (
          <li key={code} class="row apart">
            <span>{wordsOf(texts.failures, code)}</span>
            <span class="count">{numberText(count)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const PLACES: Readonly<Record<string, (id: string) => string>> = {
  connection: placeOf.connection,
  credential: placeOf.credential,
  proof: placeOf.proof,
  webhook_delivery: placeOf.delivery,
}

/** An operator who acts for no organisation sees which one it is, and not the record. */
const Oldest = ({ list: { recordType, oldestWaiting } }: Pick<ListCardProps, 'list'>) => {
  if (oldestWaiting === null) return <p class="small quiet">{said.nothingWaits}</p>
  const { id, state, createdAt } = oldestWaiting
  const place =
    'organisation' in oldestWaiting
      ? `/console/organisations/${encodeURIComponent(oldestWaiting.organisation)}`
      : PLACES[recordType]?.(id)
  const name = <code>{'organisation' in oldestWaiting ? oldestWaiting.organisation : id}</code>
  return (
    <div class="small row">
      <span>{said.oldest}</span>
      {place === undefined ? name : <a href={place}>{name}</a>}
      <StateBadge state={state} />
      <Moment at={createdAt} />
    </div>
  )
}
