import { ListPage } from '../lists/list-page.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { texts } from '../texts/texts.ts'
import { auditColumns, auditFilters } from './audit-columns.tsx'

export const AuditPage = () => {
  const { body } = useAnswer('listMembers', { query: { pageSize: 100 } })
  return (
    <ListPage
      operation="listAuditLog"
      title={texts.pages.audit}
      lead={texts.audit.lead}
      filters={auditFilters}
      columns={auditColumns(body?.items ?? [])}
      empty={null}
    />
  )
}
