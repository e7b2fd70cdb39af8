import type { AuditEntry, Member } from '../api/generated/operations.ts'
import type { Filter } from '../lists/filters.tsx'
import { StateBadge } from '../parts/badge.tsx'
import { Moment } from '../parts/moment.tsx'
import type { Column } from '../parts/table.tsx'
import { texts, wordsOf } from '../texts/texts.ts'

const said = texts.audit

export const auditFilters: readonly Filter[] = [
  { is: 'search', hint: said.searchHint },
  { is: 'day', name: 'from' },
  { is: 'day', name: 'to' },
]

/** Who did what: by name while the account is there, by its id for ever. */
export const auditColumns = (people: readonly Member[]): readonly Column<AuditEntry>[] => {
  const names = new Map(people.map(({ id, name, emailAddress }) => [id, name ?? emailAddress]))
  return [
    { title: said.when, cell: ({ createdAt }) => <Moment at={createdAt} />, look: 'tight' },
    {
      title: said.who,
      cell: ({ initiator, initiatorId }) => (
        <>
          {wordsOf(said.initiators, initiator)}
          {initiatorId !== null && <div class="quiet small">{names.get(initiatorId) ?? initiatorId}</div>}
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
}
