import { useState } from 'preact/hooks'
import type { Wallet } from '../api/generated/operations.ts'
import { LinkButton } from '../parts/button.tsx'
import { StateBadge } from '../parts/badge.tsx'
import { Empty } from '../parts/empty.tsx'
import { Moment } from '../parts/moment.tsx'
import { DangerButton } from '../records/danger-button.tsx'
import { usePerson } from '../state/session.tsx'
import { texts } from '../texts/texts.ts'
import { choicesOf } from './connections-page.tsx'
import { ListPage } from './list-page.tsx'
import type { Column } from '../parts/table.tsx'

const said = texts.wallets

const columns: readonly Column<Wallet>[] = [
  {
    title: said.installation,
    cell: ({ externalId, installationId }) => (
      <>
        {externalId}
        <div class="quiet small">
          <code>{installationId}</code>
        </div>
      </>
    ),
  },
  { title: texts.records.state, cell: ({ status }) => <StateBadge state={status} />, look: 'tight' },
  { title: said.connectedAt, cell: ({ connectedAt }) => <Moment at={connectedAt} />, look: 'tight' },
  { title: said.lastSeenAt, cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} />, look: 'tight' },
  { title: texts.records.createdAt, cell: ({ createdAt }) => <Moment at={createdAt} />, look: 'tight' },
]

const revoking = (onDone: () => void): Column<Wallet> => ({
  title: said.revoke.button,
  cell: ({ id, status }) =>
    status !== 'revoked' && (
      <DangerButton
        operation="revokeWallet"
        takes={{ path: { id } }}
        said={said.revoke}
        isSmall
        onDone={onDone}
      />
    ),
  look: 'tight',
})

/** Installations of the organisation's app that its backend made wallets for. */
export const WalletsPage = () => {
  const { mayChange } = usePerson()
  const [round, setRound] = useState(0)
  const again = (): void => setRound((before) => before + 1)
  return (
    <ListPage
      round={round}
      operation="listWallets"
      title={texts.pages.wallets}
      lead={said.lead}
      filters={[
        { is: 'search', hint: said.searchHint },
        {
          is: 'choice',
          name: 'status',
          label: texts.records.state,
          choices: choicesOf(['pending', 'active', 'revoked']),
        },
      ]}
      columns={mayChange ? [...columns, revoking(again)] : columns}
      empty={
        <Empty title={said.emptyTitle} text={said.empty}>
          <LinkButton to="/docs/api/wallets#createWallet">{said.guide}</LinkButton>
        </Empty>
      }
    />
  )
}
