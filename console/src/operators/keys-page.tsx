import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import type { ApiKey } from '../api/generated/operations.ts'
import { choicesOf } from '../lists/connections-page.tsx'
import { ListPage } from '../lists/list-page.tsx'
import type { Column } from '../parts/table.tsx'
import { StateBadge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Moment } from '../parts/moment.tsx'
import { DangerButton } from '../records/danger-button.tsx'
import { texts } from '../texts/texts.ts'
import { KeyRate } from './key-rate.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { useOrganisationNames } from './organisation-names.ts'

const said = texts.keys

const columnsFor = (nameOf: (id: string) => string, onChange: () => void): readonly Column<ApiKey>[] => [
  {
    title: said.label,
    cell: ({ label, prefix, lastFour }) => (
      <>
        {label}
        <div class="quiet small">
          <code>
            {prefix}…{lastFour}
          </code>
        </div>
      </>
    ),
  },
  { title: texts.organisations.organisation, cell: ({ tenantId }) => nameOf(tenantId) },
  { title: texts.records.state, cell: ({ status }) => <StateBadge state={status} />, look: 'tight' },
  {
    title: said.rate,
    cell: (apiKey) => <KeyRate apiKey={apiKey} onChange={onChange} />,
  },
  { title: texts.records.createdAt, cell: ({ createdAt }) => <Moment at={createdAt} />, look: 'tight' },
  {
    title: said.revoke.button,
    cell: ({ id, status }) =>
      status === 'active' && (
        <DangerButton
          operation="revokeApiKey"
          takes={{ path: { id } }}
          said={said.revoke}
          isSmall
          onDone={onChange}
        />
      ),
    look: 'tight',
  },
]

export const KeysPage = () => {
  const nameOf = useOrganisationNames()
  const { query } = useLocation()
  const [isMaking, setMaking] = useState(false)
  const [round, setRound] = useState(0)
  const again = (): void => setRound((before) => before + 1)
  const create = (
    <Button look="main" onPress={() => setMaking(true)}>
      {said.create}
    </Button>
  )
  return (
    <>
      <ListPage
        round={round}
        operation="listApiKeys"
        title={texts.pages.keys}
        lead={said.lead}
        filters={[
          { is: 'search', hint: said.label },
          {
            is: 'choice',
            name: 'status',
            label: texts.records.state,
            choices: choicesOf(['active', 'revoked']),
          },
          { is: 'given', name: 'tenantId', label: said.ofOrganisation },
        ]}
        columns={columnsFor(nameOf, again)}
        actions={create}
        empty={
          <Empty title={said.emptyTitle} text={said.empty}>
            {create}
          </Empty>
        }
      />
      {isMaking && (
        <NewKeyDialog
          organisation={query['tenantId'] ?? ''}
          onClose={() => {
            setMaking(false)
            again()
          }}
        />
      )}
    </>
  )
}
