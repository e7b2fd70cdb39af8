import type { CredentialOfferJob } from '../api/generated/operations.ts'
import { choicesOf } from '../lists/connections-page.tsx'
import { ListPage } from '../lists/list-page.tsx'
import type { Column } from '../parts/table.tsx'
import { StateBadge } from '../parts/badge.tsx'
import { LinkButton } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Moment } from '../parts/moment.tsx'
import { placeOf } from '../state/places.ts'
import { usePerson } from '../state/session.tsx'
import { numberText, texts } from '../texts/texts.ts'

const said = texts.many

const columns: readonly Column<CredentialOfferJob>[] = [
  {
    title: said.job,
    cell: ({ id }) => (
      <a href={placeOf.offers(id)}>
        <code>{id}</code>
      </a>
    ),
  },
  { title: texts.records.state, cell: ({ status }) => <StateBadge state={status} />, look: 'tight' },
  { title: said.total, cell: ({ total }) => numberText(total), look: 'number' },
  { title: said.offered, cell: ({ offered }) => numberText(offered), look: 'number' },
  { title: said.refused, cell: ({ refused }) => numberText(refused), look: 'number' },
  { title: texts.records.createdAt, cell: ({ createdAt }) => <Moment at={createdAt} />, look: 'tight' },
]

/** Requests for many offers, from here and from backends. */
export const OffersPage = () => {
  const { mayChange } = usePerson()
  const create = mayChange && (
    <LinkButton to="/console/offers/new" look="main">
      {said.create}
    </LinkButton>
  )
  return (
    <ListPage
      operation="listCredentialOfferJobs"
      title={texts.pages.offers}
      lead={said.jobsLead}
      filters={[
        { is: 'search', hint: said.searchHint },
        {
          is: 'choice',
          name: 'status',
          label: texts.records.state,
          choices: choicesOf(['running', 'finished']),
        },
      ]}
      columns={columns}
      actions={create}
      empty={
        <Empty title={said.emptyTitle} text={said.empty}>
          {create}
        </Empty>
      }
    />
  )
}
