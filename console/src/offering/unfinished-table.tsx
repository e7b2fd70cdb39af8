import { Button } from '../parts/button.tsx'
import { Notice } from '../parts/notice.tsx'
import { fill, numberText, texts } from '../texts/texts.ts'
import { type Sending, sentOf } from './send-offers.ts'

const said = texts.many.sending

type UnfinishedTableProps = {
  readonly sending: Sending
  readonly isSame: boolean
  readonly isOther: boolean
  readonly onLeave: () => void
}

/** A table that was stopped in the middle, by its person, a refusal or a reload. */
export const UnfinishedTable = ({ sending, isSame, isOther, onLeave }: UnfinishedTableProps) => {
  const { name, total } = sending
  const values = { name, sent: numberText(sentOf(sending)), total: numberText(total) }
  return (
    <Notice tone="warn" title={fill(said.unfinishedTitle, values)}>
      <p>{fill(said.unfinished, values)}</p>
      {!isSame && <p>{isOther ? said.other : fill(said.chooseAgain, values)}</p>}
      <div class="row">
        <Button isSmall onPress={onLeave}>
          {said.leave}
        </Button>
      </div>
    </Notice>
  )
}
