import { useEffect, useState } from 'preact/hooks'
import { useAnswer } from '../state/use-answer.ts'
import { counted, exactTime, fill, texts } from '../texts/texts.ts'

const said = texts.retention.would
const KINDS: Readonly<Record<string, { readonly one: string; readonly other: string }>> = said.kinds
/** Not every digit is a question. */
const SETTLED_MS = 300

/** What a period would clear at once, counted by the service before it is set, because it is gone for good then. */
export const WouldClear = ({ days }: { readonly days: number }) => {
  const [settled, setSettled] = useState(days)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(days), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [days])
  const isWanted = Number.isInteger(settled) && settled > 0
  const { body, isLoading } = useAnswer(
    'previewDataRetention',
    { query: { retentionDays: settled } },
    { isWanted },
  )
  const isShown = isWanted && settled === days && !isLoading && body !== null && body.finishedBefore !== null
  return (
    <div role="status">
      {isShown && (
        <>
          <p>
            {fill(body.records.length === 0 ? said.nothing : said.before, {
              before: exactTime(body.finishedBefore ?? ''),
            })}
          </p>
          <ul class="stack tight small">
            {body.records.map(({ recordType, records }) => (
              <li key={recordType}>{counted(KINDS[recordType] ?? said.others, records)}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
