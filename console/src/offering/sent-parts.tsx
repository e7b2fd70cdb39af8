import type { CredentialOfferJob } from '../api/generated/operations.ts'
import { StateBadge } from '../parts/badge.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { placeOf } from '../state/places.ts'
import { useAnswer } from '../state/use-answer.ts'
import { usePace } from '../state/use-pace.ts'
import { fill, numberText, texts } from '../texts/texts.ts'
import type { SentPart } from './send-offers.ts'

const said = texts.many
const WATCHED_MS = 3_000
/** As many jobs as one answer has. */
const SHOWN_MAX = 100

type Row = SentPart & { readonly job: CredentialOfferJob | undefined }

/** The requests of a table, the newest first. Links would lead away from a table that is on its way. */
export const SentParts = ({ parts, isLinked }: { parts: readonly SentPart[]; isLinked: boolean }) => {
  const everyMs = usePace(WATCHED_MS)
  const { body } = useAnswer('listCredentialOfferJobs', { query: { pageSize: SHOWN_MAX } }, { everyMs })
  const jobs = new Map((body?.items ?? []).map((job) => [job.id, job]))
  const newest = parts.slice(-SHOWN_MAX).toReversed()
  const rows: readonly Row[] = newest.map((part) => ({ ...part, job: jobs.get(part.id) }))
  const columns: readonly Column<Row>[] = [
    {
      title: said.job,
      cell: ({ id }) => {
        const name = <code>{id}</code>
        return isLinked ? <a href={placeOf.offers(id)}>{name}</a> : name
      },
    },
    {
      title: said.sending.lines,
      cell: ({ firstLine, lastLine }) =>
        fill(said.sending.range, { first: numberText(firstLine), last: numberText(lastLine) }),
      look: 'tight',
    },
    {
      title: texts.records.state,
      cell: ({ job }) => job && <StateBadge state={job.status} />,
      look: 'tight',
    },
    { title: said.total, cell: ({ offers }) => numberText(offers), look: 'number' },
    { title: said.offered, cell: ({ job }) => job && numberText(job.offered), look: 'number' },
    { title: said.refused, cell: ({ job }) => job && numberText(job.refused), look: 'number' },
  ]
  return <Table label={said.sending.requests} columns={columns} items={rows} keyOf={({ id }) => id} />
}
