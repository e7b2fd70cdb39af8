import type { ProofTemplate } from '../api/generated/operations.ts'
import { ListPage } from '../lists/list-page.tsx'
import type { Column } from '../parts/table.tsx'
import { StateBadge } from '../parts/badge.tsx'
import { LinkButton } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Moment } from '../parts/moment.tsx'
import { usePerson } from '../state/session.tsx'
import { texts } from '../texts/texts.ts'
import { draftOf } from './template-draft.ts'
import { provedText } from './wallet-preview.tsx'

const said = texts.template

const columns: readonly Column<ProofTemplate>[] = [
  {
    title: said.name,
    cell: ({ id, name }) => <a href={`/console/templates/${encodeURIComponent(id)}`}>{name}</a>,
  },
  {
    title: said.asksFor,
    cell: (template) =>
      draftOf(template)
        .groups.flatMap(({ attributes, predicates }) => [...attributes, ...predicates.map(provedText)])
        .join(', '),
  },
  { title: texts.records.state, cell: ({ status }) => <StateBadge state={status} />, look: 'tight' },
  { title: texts.records.updatedAt, cell: ({ updatedAt }) => <Moment at={updatedAt} />, look: 'tight' },
]

export const TemplatesPage = () => {
  const { mayChange } = usePerson()
  const create = mayChange && (
    <LinkButton to="/console/templates/new" look="main">
      {said.create}
    </LinkButton>
  )
  return (
    <ListPage
      operation="listProofTemplates"
      title={texts.pages.templates}
      lead={said.lead}
      filters={[{ is: 'search', hint: said.searchHint }]}
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
