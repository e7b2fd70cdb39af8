import { ListPage } from '../lists/list-page.tsx'
import { useWholeList } from '../state/use-whole-list.ts'
import { texts } from '../texts/texts.ts'
import { auditColumns, auditFilters } from './audit-columns.tsx'

export const AuditPage = () => {
  const { items } = useWholeList('listMembers')
  return (
    <ListPage
      operation="listAuditLog"
      title={texts.pages.audit}
      lead={texts.audit.lead}
      filters={auditFilters}
      columns={auditColumns(items ?? [])}
      empty={null}
    />
  )
}
