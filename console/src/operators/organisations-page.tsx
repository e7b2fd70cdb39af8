import { useState } from 'preact/hooks'
import type { Organisation } from '../api/generated/operations.ts'
import { choicesOf } from '../lists/connections-page.tsx'
import { ListPage } from '../lists/list-page.tsx'
import type { Column } from '../parts/table.tsx'
import { StateBadge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Moment } from '../parts/moment.tsx'
import { texts } from '../texts/texts.ts'
import { ActDialog } from './act-dialog.tsx'
import { NewOrganisationDialog } from './new-organisation-dialog.tsx'

const said = texts.organisations
const STATES = ['active', 'suspended', 'deletion_ordered', 'deleting', 'deleted']

/** What operators begin with: whose pages they want to see. */
export const OrganisationsPage = () => {
  const [chosen, setChosen] = useState<Organisation | null>(null)
  const [isMaking, setMaking] = useState(false)
  const create = (
    <Button look="main" onPress={() => setMaking(true)}>
      {said.create}
    </Button>
  )
  const columns: readonly Column<Organisation>[] = [
    {
      title: said.organisation,
      cell: ({ id, name }) => (
        <>
          <a href={`/console/organisations/${encodeURIComponent(id)}`}>{name ?? texts.states.deleted}</a>
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
        actions={create}
        empty={
          <Empty title={said.emptyTitle} text={said.empty}>
            {create}
          </Empty>
        }
      />
      {isMaking && <NewOrganisationDialog onClose={() => setMaking(false)} />}
      {chosen !== null && <ActDialog organisation={chosen} onClose={() => setChosen(null)} />}
    </>
  )
}
