import { useEffect, useState } from 'preact/hooks'
import type { ParkedRecord } from '../api/generated/operations.ts'
import { ListPage } from '../lists/list-page.tsx'
import type { Column } from '../parts/table.tsx'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Moment } from '../parts/moment.tsx'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { useOrder } from '../state/use-order.ts'
import { fill, numberText, texts } from '../texts/texts.ts'

const said = texts.parked

/** Records that could not be read: everything else goes on without them, and they can be tried again. */
export const ParkedPage = () => {
  const [round, setRound] = useState(0)
  const [tried, setTried] = useState<Tried | null>(null)
  const retry = useOrder('retryParkedRecord')
  const look = (): void => setRound((before) => before + 1)
  const again = async (id: string): Promise<void> => {
    const record = await retry.give({ path: { id } })
    if (record === null) return
    setTried((before) => ({ record, number: (before?.number ?? 0) + 1 }))
    look()
  }
  const columns: readonly Column<ParkedRecord>[] = [
    { title: texts.deliveries.record, cell: ({ recordId }) => <code>{recordId}</code> },
    { title: said.part, cell: ({ part }) => said.parts[part] },
    { title: said.shard, cell: ({ shard }) => numberText(shard), look: 'tight' },
    { title: said.error, cell: ({ error }) => <code>{error}</code> },
    { title: said.attempts, cell: ({ attempts }) => numberText(attempts), look: 'tight' },
    { title: said.since, cell: ({ since }) => <Moment at={since} />, look: 'tight' },
    {
      title: texts.common.tryAgain,
      cell: ({ id }) => (
        <Button isSmall isBusy={retry.isUnderWay} onPress={() => void again(id)}>
          {texts.common.tryAgain}
        </Button>
      ),
      look: 'tight',
    },
  ]
  return (
    <ListPage
      round={round}
      operation="listParkedRecords"
      title={texts.pages.parked}
      lead={said.lead}
      filters={[{ is: 'search', hint: texts.deliveries.searchHint }]}
      columns={columns}
      empty={<Empty title={said.emptyTitle} text={said.empty} />}
    >
      <ProblemNotice problem={retry.problem} />
      {tried !== null && <WhatCameOfIt key={tried.number} record={tried.record} onSettled={look} />}
    </ListPage>
  )
}

/** What was ordered last; the number tells a second order of the same record apart. */
type Tried = { readonly record: ParkedRecord; readonly number: number }

const LOOK_MS = 1_000

/** It is tried within a moment: then it has left the list, or was tried once more. */
const WhatCameOfIt = ({ record, onSettled }: { record: ParkedRecord; onSettled: () => void }) => {
  const [settled, setSettled] = useState<{ readonly error: string | null } | null>(null)
  const { body } = useAnswer(
    'listParkedRecords',
    { query: { q: record.id } },
    { everyMs: LOOK_MS, isWanted: settled === null },
  )
  useEffect(() => {
    if (body === null || settled !== null) return
    const still = body.items.find(({ id }) => id === record.id)
    if (still !== undefined && still.attempts <= record.attempts) return
    setSettled({ error: still?.error ?? null })
    onSettled()
  }, [body])
  const { recordId } = record
  if (settled === null)
    return (
      <Notice>
        <p>{fill(said.trying, { recordId })}</p>
      </Notice>
    )
  const { error } = settled
  return error === null ? (
    <Notice tone="good">
      <p>{fill(said.read, { recordId })}</p>
    </Notice>
  ) : (
    <Notice tone="bad" title={fill(said.failedTitle, { recordId })}>
      <p>{fill(said.failed, { error })}</p>
    </Notice>
  )
}
