import type { Erasure } from '../api/generated/operations.ts'
import { LinkButton } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Moment } from '../parts/moment.tsx'
import { placeOf } from '../state/places.ts'
import { texts } from '../texts/texts.ts'
import { ListPage } from './list-page.tsx'
import type { Column } from '../parts/table.tsx'

const said = texts.erasures
const choices = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, text]) => ({ value, text }))

const columns: readonly Column<Erasure>[] = [
  { title: texts.records.erasedAt, cell: ({ erasedAt }) => <Moment at={erasedAt} />, look: 'tight' },
  { title: said.recordType, cell: ({ recordType }) => said.recordTypes[recordType] },
  {
    title: texts.deliveries.record,
    cell: ({ recordType, recordId }) => (
      <a href={placeOf[recordType](recordId)}>
        <code>{recordId}</code>
      </a>
    ),
  },
  { title: said.initiator, cell: ({ initiator }) => said.initiators[initiator] },
]

/** What was erased because somebody asked for it; what goes by retention is not listed. */
export const ErasuresPage = () => (
  <ListPage
    operation="listErasures"
    title={texts.pages.erasures}
    lead={said.lead}
    filters={[
      { is: 'search', hint: texts.deliveries.searchHint },
      { is: 'choice', name: 'recordType', label: said.recordType, choices: choices(said.recordTypes) },
      { is: 'choice', name: 'initiator', label: said.initiator, choices: choices(said.initiators) },
      { is: 'day', name: 'from' },
      { is: 'day', name: 'to' },
    ]}
    columns={columns}
    empty={
      <Empty title={said.emptyTitle} text={said.empty}>
        <LinkButton to="/console/connections">{texts.pages.connections}</LinkButton>
      </Empty>
    }
  />
)
