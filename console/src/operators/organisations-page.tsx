import { useState } from 'preact/hooks'
import type { Organisation } from '../api/generated/operations.ts'
import { choicesOf } from '../lists/connections-page.tsx'
import { ListPage } from '../lists/list-page.tsx'
import type { Column } from '../lists/table.tsx'
import { StateBadge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Moment } from '../parts/moment.tsx'
import { texts } from '../texts/texts.ts'
import { ActDialog } from './act-dialog.tsx'

const said = texts.organisations
const STATES = ['active', 'suspended', 'deletion_ordered', 'deleting', 'deleted']

/** What operators begin with: whose pages they want to see. */
export const OrganisationsPage = () => {
  const [chosen, setChosen] = useState<Organisation | null>(null)
  const columns: readonly Column<Organisation>[] = [
    {
      title: said.organisation,
      cell: ({ id, name }) => (
        <>
          {name ?? texts.states.deleted}
          <div class="quiet small">
            <code>{id}</code>
          </div>
        </>
      ),
    },
    { title: texts.records.state, cell: ({ status }) => <StateBadge state={status} />, look: 'tight' },
    { title: texts.records.createdAt, cell: ({ createdAt }) => <Moment at={createdAt} />, look: 'tight' },
    {
      title: said.act,
      cell: (organisation) => (
        <Button isSmall onPress={() => setChosen(organisation)}>
          {said.act}
          <span class="unseen"> {organisation.name}</span>
        </Button>
      ),
    },
  ]
  return (
    <>
      <ListPage
        operation="listTenants"
        title={texts.pages.organisations}
        lead={said.lead}
        filters={[
          { is: 'search', hint: said.searchHint },
          { is: 'choice', name: 'status', label: texts.records.state, choices: choicesOf(STATES) },
        ]}
        columns={columns}
        empty={<Empty title={said.emptyTitle} text={said.empty} />}
      />
      {chosen !== null && <ActDialog organisation={chosen} onClose={() => setChosen(null)} />}
    </>
  )
}
