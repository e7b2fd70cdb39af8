import { useLocation, useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import type { CredentialOfferItem, CredentialOfferJob } from '../api/generated/operations.ts'
import { type Filter, Filters } from '../lists/filters.tsx'
import { Pager } from '../lists/pager.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { StateBadge } from '../parts/badge.tsx'
import { Empty } from '../parts/empty.tsx'
import { Moment } from '../parts/moment.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { RecordView } from '../records/record-view.tsx'
import { readListAddress, writeListAddress } from '../state/list-address.ts'
import { placeOf } from '../state/places.ts'
import { useAnswer } from '../state/use-answer.ts'
import { usePace } from '../state/use-pace.ts'
import { fill, numberText, texts } from '../texts/texts.ts'
import { SaveOutcomes } from './save-outcomes.tsx'

const said = texts.many
const LIST = { to: '/console/offers', text: texts.pages.offers }
const OUTCOMES = ['waiting', 'offered', 'refused'] as const
const FILTERS: readonly Filter[] = [
  {
    is: 'choice',
    name: 'outcome',
    label: said.outcome,
    choices: OUTCOMES.map((value) => ({ value, text: said.outcomes[value] })),
  },
]
const WATCHED_MS = 2_000

/** How far a request for many offers is, and what became of each. */
export const OfferJobPage = () => {
  const { id = '' } = useRoute().params
  const [isRunning, setRunning] = useState(true)
  const everyMs = usePace(isRunning ? WATCHED_MS : 0)
  const loaded = useAnswer('getCredentialOfferJob', { path: { id } }, { everyMs })
  if (loaded.body !== null && isRunning !== (loaded.body.status === 'running')) setRunning(!isRunning)
  return (
    <RecordView loaded={loaded} list={LIST}>
      {(job) => (
        <>
          <PageHead title={said.jobTitle} back={LIST} beside={<StateBadge state={job.status} />}>
            <SaveOutcomes name={job.id} parts={[job]} />
          </PageHead>
          <Progress job={job} />
          <Items id={job.id} everyMs={everyMs} />
        </>
      )}
    </RecordView>
  )
}

const Progress = ({ job: { total, offered, refused, createdAt } }: { job: CredentialOfferJob }) => {
  const values = {
    offered: numberText(offered),
    refused: numberText(refused),
    waiting: numberText(total - offered - refused),
    total: numberText(total),
  }
  return (
    <section class="card stack tight">
      <progress value={offered + refused} max={total} aria-label={said.progress} />
      <p role="status">{fill(said.counts, values)}</p>
      <p class="quiet small">
        {texts.records.createdAt} <Moment at={createdAt} />
      </p>
    </section>
  )
}

const outcomeOf = ({ credentialId, error }: CredentialOfferItem): (typeof OUTCOMES)[number] => {
  if (credentialId !== null) return 'offered'
  return error === null ? 'waiting' : 'refused'
}

const columns: readonly Column<CredentialOfferItem>[] = [
  { title: said.number, cell: ({ index }) => numberText(index + 1), look: 'tight' },
  {
    title: said.outcome,
    cell: (item) => <StateBadge state={outcomeOf(item)} />,
    look: 'tight',
  },
  {
    title: texts.records.exchange,
    cell: ({ credentialId, reason }) =>
      credentialId === null ? (
        reason
      ) : (
        <a href={placeOf.credential(credentialId)}>
          <code>{credentialId}</code>
        </a>
      ),
  },
]

const Items = ({ id, everyMs }: { id: string; everyMs: number }) => {
  const { query, path, route } = useLocation()
  const address = readListAddress(query, ['outcome'])
  const { page, pageSize, filters } = address
  const outcome = OUTCOMES.find((each) => each === filters['outcome'])
  const asked = { path: { id }, query: { page, pageSize, ...(outcome && { outcome }) } }
  const { body, isLoading } = useAnswer('listCredentialOfferItems', asked, { everyMs })
  const toAddress = (wanted: typeof address): string => `${path}${writeListAddress(wanted)}`
  const change = (wanted: typeof address): void => route(toAddress(wanted), true)
  return (
    <>
      <Filters filters={FILTERS} address={address} onChange={change} />
      {body?.total === 0 && <Empty title={texts.lists.noneTitle} text={texts.lists.none} />}
      {body !== null && body.total > 0 && (
        <>
          <Table
            label={said.items}
            columns={columns}
            items={body.items}
            keyOf={({ index }) => String(index)}
            isBusy={isLoading}
          />
          <Pager {...{ total: body.total, address, toAddress }} onChange={change} isBusy={isLoading} />
        </>
      )}
    </>
  )
}
