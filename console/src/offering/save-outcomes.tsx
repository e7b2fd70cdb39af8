import { useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import type { CredentialOfferItem } from '../api/generated/operations.ts'
import type { Answer, Problem } from '../api/problem.ts'
import { Button } from '../parts/button.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { saveAsFile } from '../parts/save-as-file.ts'
import { texts } from '../texts/texts.ts'
import { writeCsv } from './csv.ts'

const said = texts.many
const PAGE_SIZE = 100
const WAITS_MAX = 10

type SaveOutcomesProps = {
  readonly name: string
  readonly parts: readonly { readonly id: string }[]
}

/** What became of every item of one request or of several, as a table. */
export const SaveOutcomes = ({ name, parts }: SaveOutcomesProps) => {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const save = async (): Promise<void> => {
    setBusy(true)
    setProblem(null)
    const rows: (readonly string[])[] = []
    let found: Problem | null = null
    for (const { id } of parts) {
      found ??= await itemsOf(id, (item) => rows.push(rowOf(id, rows.length + 1, item)))
    }
    setBusy(false)
    setProblem(found)
    if (found === null) saveAsFile(`${name}.csv`, writeCsv([HEAD, ...rows]), 'text/csv')
  }
  return (
    <>
      <Button isBusy={isBusy} onPress={() => void save()}>
        {said.saveOutcomes}
      </Button>
      <ProblemNotice problem={problem} />
    </>
  )
}

const itemsOf = async (id: string, onItem: (item: CredentialOfferItem) => void): Promise<Problem | null> => {
  for (let page = 1; ; page += 1) {
    const answer = await pageOf(id, page)
    if (!answer.ok) return answer.problem
    answer.body.items.forEach(onItem)
    if (answer.body.items.length < PAGE_SIZE) return null
  }
}

/** Many pages in a row are more than a session may ask in a minute; the service says when it answers more. */
const pageOf = async (
  id: string,
  page: number,
): Promise<Answer<{ readonly items: readonly CredentialOfferItem[] }>> => {
  for (let waits = 0; ; waits += 1) {
    const query = { page, pageSize: PAGE_SIZE } as const
    const answer = await call('listCredentialOfferItems', { path: { id }, query })
    const seconds = answer.ok ? null : answer.problem.retryAfterSeconds
    if (seconds === null || waits === WAITS_MAX) return answer
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
  }
}

const HEAD = ['number', 'job', 'idempotencyKey', 'credentialId', 'error', 'reason']

const rowOf = (job: string, number: number, item: CredentialOfferItem): readonly string[] => [
  String(number),
  job,
  item.idempotencyKey ?? '',
  item.credentialId ?? '',
  item.error ?? '',
  item.reason ?? '',
]
