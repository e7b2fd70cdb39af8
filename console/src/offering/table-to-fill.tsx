import { useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import type { Connection } from '../api/generated/operations.ts'
import type { Problem } from '../api/problem.ts'
import { Button } from '../parts/button.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { saveAsFile } from '../parts/save-as-file.ts'
import { EXPIRES_AT } from '../setup/value-kinds.ts'
import { fill, texts } from '../texts/texts.ts'
import { writeCsv } from './csv.ts'
import { CONNECTION_ID, EXTERNAL_ID } from './offer-lines.ts'

const said = texts.many
const FILE = 'vouchsafe-offers.csv'
const PAGE_SIZE = 100
/** A hundred requests: a sixth of what a session may ask in a minute. */
const WALLETS_MAX = 10_000

/** Which columns a table has, and one with the connected wallets in it. */
export const TableToFill = ({ names }: { readonly names: readonly string[] }) => {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const save = async (): Promise<void> => {
    setBusy(true)
    const found = await connected()
    setBusy(false)
    setProblem('problem' in found ? found.problem : null)
    if ('connections' in found) saveAsFile(FILE, tableOf(found.connections, names), 'text/csv')
  }
  return (
    <section class="card stack">
      <h2>{said.tableTitle}</h2>
      <p>{fill(said.table, { names: [CONNECTION_ID, ...names].join(', ') })}</p>
      <p class="quiet small">{said.tableHint}</p>
      <ProblemNotice problem={problem} />
      <div class="row">
        <Button isBusy={isBusy} onPress={() => void save()}>
          {said.download}
        </Button>
      </div>
    </section>
  )
}

/** The column of labels is for the person alone; reading passes over it. */
const tableOf = (connections: readonly Connection[], names: readonly string[]): string =>
  writeCsv([
    [CONNECTION_ID, said.wallet, ...names, EXPIRES_AT, EXTERNAL_ID],
    ...connections.map(({ id, theirLabel, externalId }) => [
      id,
      theirLabel ?? '',
      ...names.map(() => ''),
      '',
      externalId ?? '',
    ]),
  ])

type Found = { readonly connections: readonly Connection[] } | { readonly problem: Problem }

/** The newest ones. */
const connected = async (): Promise<Found> => {
  const connections: Connection[] = []
  for (let page = 1; connections.length < WALLETS_MAX; page += 1) {
    const answer = await call('listConnections', {
      query: { state: ['completed'], page, pageSize: PAGE_SIZE },
    })
    if (!answer.ok) return { problem: answer.problem }
    connections.push(...answer.body.items)
    if (answer.body.items.length < PAGE_SIZE) break
  }
  return { connections }
}
