import { useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import type { CredentialOfferItem } from '../api/generated/operations.ts'
import type { Problem } from '../api/problem.ts'
import { Button } from '../parts/button.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { saveAsFile } from '../parts/save-as-file.ts'
import { texts } from '../texts/texts.ts'
import { writeCsv } from './csv.ts'

const said = texts.many
const PAGE_SIZE = 100

/** What became of every item, as a table. */
export const SaveOutcomes = ({ id }: { readonly id: string }) => {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const save = async (): Promise<void> => {
    setBusy(true)
    const items: CredentialOfferItem[] = []
    let found: Problem | null = null
    for (let page = 1, isLast = false; !isLast; page += 1) {
      const query = { page, pageSize: PAGE_SIZE } as const
      const answer = await call('listCredentialOfferItems', { path: { id }, query })
      if (answer.ok) items.push(...answer.body.items)
      else found = answer.problem
      isLast = !answer.ok || answer.body.items.length < PAGE_SIZE
    }
    setBusy(false)
    setProblem(found)
    if (found === null) saveAsFile(`${id}.csv`, writeCsv([HEAD, ...items.map(rowOf)]), 'text/csv')
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

const HEAD = ['number', 'idempotencyKey', 'credentialId', 'error', 'reason']

const rowOf = (item: CredentialOfferItem): readonly string[] => [
  String(item.index + 1),
  item.idempotencyKey ?? '',
  item.credentialId ?? '',
  item.error ?? '',
  item.reason ?? '',
]
