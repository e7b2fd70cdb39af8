import type { AuditEntry } from '../api/generated/operations.ts'
import { ListPage } from '../lists/list-page.tsx'
import type { Column } from '../parts/table.tsx'
import { StateBadge } from '../parts/badge.tsx'
import { Moment } from '../parts/moment.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { texts, wordsOf } from '../texts/texts.ts'

const said = texts.audit

const columnsFor = (nameOf: (id: string) => string): readonly Column<AuditEntry>[] => [
  { title: said.when, cell: ({ createdAt }) => <Moment at={createdAt} />, look: 'tight' },
  {
    title: said.who,
    cell: ({ initiator, initiatorId }) => (
      <>
        {wordsOf(said.initiators, initiator)}
        {initiatorId !== null && <div class="quiet small">{nameOf(initiatorId)}</div>}
      </>
    ),
  },
  {
    title: said.what,
    cell: ({ action, reason }) => (
      <>
        <code>{action}</code>
        {reason !== null && <div class="quiet small">{reason}</div>}
      </>
    ),
  },
  { title: said.on, cell: ({ targetId }) => targetId && <code>{targetId}</code> },
  { title: said.outcome, cell: ({ outcome }) => <StateBadge state={outcome} />, look: 'tight' },
]

export const AuditPage = () => {
  const { body } = useAnswer('listMembers', { query: { pageSize: 100 } })
  const names = new Map((body?.items ?? []).map(({ id, name, emailAddress }) => [id, name ?? emailAddress]))
  return (
    <ListPage
      operation="listAuditLog"
      title={texts.pages.audit}
      lead={said.lead}
      filters={[{ is: 'search', hint: said.searchHint }]}
      columns={columnsFor((id) => names.get(id) ?? id)}
      empty={null}
    />
  )
}
