import { useState } from 'preact/hooks'
import type { ParkedRecord } from '../api/generated/operations.ts'
import { ListPage } from '../lists/list-page.tsx'
import type { Column } from '../parts/table.tsx'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Moment } from '../parts/moment.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { useOrder } from '../state/use-order.ts'
import { numberText, texts } from '../texts/texts.ts'

const said = texts.parked

/** Records that could not be read: everything else goes on without them, and they can be tried again. */
export const ParkedPage = () => {
  const [round, setRound] = useState(0)
  const retry = useOrder('retryParkedRecord')
  const again = async (id: string): Promise<void> => {
    if ((await retry.give({ path: { id } })) !== null) setRound((before) => before + 1)
  }
  const columns: readonly Column<ParkedRecord>[] = [
    { title: texts.deliveries.record, cell: ({ recordId }) => <code>{recordId}</code> },
    { title: said.part, cell: ({ part }) => said.parts[part] },
    { title: said.shard, cell: ({ shard }) => numberText(shard), look: 'tight' },
    { title: said.error, cell: ({ error }) => <code>{error}</code> },
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
    </ListPage>
  )
}
