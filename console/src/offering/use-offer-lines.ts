import { useEffect, useState } from 'preact/hooks'
import { keyOf } from './line-key.ts'
import type { ReadLines } from './offer-lines.ts'
import { readTable } from './read-table.ts'

export type ChosenTable = { readonly name: string; readonly text: string }

/** What a table says, and a name for its content. */
export type ReadTable = ReadLines & { readonly fingerprint: string }

type AskedFor = {
  readonly definitionId: string
  readonly names: readonly string[]
  readonly lastDay: string
}

/** Reads the table, and again where something else is asked for; null until it is read. */
export const useOfferLines = (table: ChosenTable | null, asked: AskedFor): ReadTable | null => {
  const { definitionId, names, lastDay } = asked
  const question = JSON.stringify([definitionId, lastDay, names])
  const [known, setKnown] = useState<{ question: string; table: ChosenTable; read: ReadTable } | null>(null)
  useEffect(() => {
    if (table === null) return undefined
    const ended = new AbortController()
    const read = async (): Promise<void> => {
      const lines = await readTable(table.text, { ...asked, nowMs: Date.now() }, ended.signal)
      if (lines === null) return
      const fingerprint = await keyOf(`${question} ${table.text}`)
      if (!ended.signal.aborted) setKnown({ question, table, read: { ...lines, fingerprint } })
    }
    void read()
    return () => ended.abort()
  }, [question, table])
  return known !== null && known.question === question && known.table === table ? known.read : null
}
