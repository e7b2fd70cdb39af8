import { useLocation } from 'preact-iso'
import type { Session } from '../api/generated/operations.ts'
import { type Column, Table } from '../parts/table.tsx'
import { Button } from '../parts/button.tsx'
import { Moment } from '../parts/moment.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { SIGN_IN } from '../state/places.ts'
import { useSession } from '../state/session.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { useOrder } from '../state/use-order.ts'
import { fill, texts } from '../texts/texts.ts'
import { browserName } from './browser-name.ts'

const said = texts.account

const nameOf = (userAgent: string | null): string => {
  const known = browserName(userAgent ?? '')
  return known === null ? (userAgent ?? '–') : fill(said.browserOn, known)
}

/** Where this person is signed in, and the way to end each of it. */
export const Sessions = () => {
  const { body, problem, again } = useAnswer('listSessions', { query: { pageSize: 100 } })
  const endOne = useOrder('endSession')
  const endAll = useOrder('signOutEverywhere')
  const { end } = useSession()
  const { route } = useLocation()
  const endHere = async (id: string): Promise<void> => {
    if ((await endOne.give({ path: { id } })) !== null) again()
  }
  const endEverywhere = async (): Promise<void> => {
    if ((await endAll.give({})) === null) return
    end()
    route(SIGN_IN)
  }
  const columns: readonly Column<Session>[] = [
    {
      title: said.browser,
      cell: ({ userAgent, current }) => (
        <>
          <span title={userAgent ?? ''}>{nameOf(userAgent)}</span>
          {current && <strong> {said.thisOne}</strong>}
        </>
      ),
    },
    { title: said.address, cell: ({ address }) => address ?? '–', look: 'tight' },
    { title: said.since, cell: ({ createdAt }) => <Moment at={createdAt} />, look: 'tight' },
    { title: said.until, cell: ({ expiresAt }) => <Moment at={expiresAt} />, look: 'tight' },
    {
      title: said.end,
      cell: ({ id, current }) =>
        current ? null : (
          <Button isSmall isBusy={endOne.isUnderWay} onPress={() => void endHere(id)}>
            {said.end}
          </Button>
        ),
      look: 'tight',
    },
  ]
  return (
    <section class="stack tight">
      <div class="row apart">
        <h2>{said.sessions}</h2>
        <Button isSmall isBusy={endAll.isUnderWay} onPress={() => void endEverywhere()}>
          {said.endAll}
        </Button>
      </div>
      <ProblemNotice problem={problem ?? endOne.problem ?? endAll.problem} />
      {body && <Table label={said.sessions} columns={columns} items={body.items} keyOf={({ id }) => id} />}
    </section>
  )
}
