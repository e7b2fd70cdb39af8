import { ListPage } from '../lists/list-page.tsx'
import { auditColumns, auditFilters } from '../people/audit-columns.tsx'
import { useWholeList } from '../state/use-whole-list.ts'
import { texts } from '../texts/texts.ts'

/** What operators did for the service, or the log of one organisation, which outlives the organisation. */
export const OperatorAuditPage = () => {
  const { items } = useWholeList('listOperators')
  return (
    <ListPage
      operation="listOperatorAuditLog"
      title={texts.pages.operatorAudit}
      lead={texts.audit.operatorLead}
      filters={[...auditFilters, { is: 'given', name: 'organisation', label: texts.keys.ofOrganisation }]}
      columns={auditColumns(items ?? [])}
      empty={null}
    />
  )
}
