import { ListPage } from '../lists/list-page.tsx'
import { auditColumns, auditFilters } from '../people/audit-columns.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { texts } from '../texts/texts.ts'

/** What operators did for the service, or the log of one organisation, which outlives the organisation. */
export const OperatorAuditPage = () => {
  const { body } = useAnswer('listOperators', { query: { pageSize: 100 } })
  return (
    <ListPage
      operation="listOperatorAuditLog"
      title={texts.pages.operatorAudit}
      lead={texts.audit.operatorLead}
      filters={[...auditFilters, { is: 'given', name: 'organisation', label: texts.keys.ofOrganisation }]}
      columns={auditColumns(body?.items ?? [])}
      empty={null}
    />
  )
}
