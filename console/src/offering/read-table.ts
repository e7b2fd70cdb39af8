import { csvRows } from './csv.ts'
import { type Asked, LinesReader, type ReadLines } from './offer-lines.ts'

/** A table is read in pieces of this length, between which the page is drawn and answers whoever uses it. */
const PIECE_MS = 20

/** What a table says; null where nobody wants to know it any more. */
export const readTable = async (
  text: string,
  asked: Asked,
  signal: AbortSignal,
): Promise<ReadLines | null> => {
  const reader = new LinesReader(asked)
  let begunAt = performance.now()
  for (const row of csvRows(text)) {
    reader.take(row)
    if (performance.now() - begunAt < PIECE_MS) continue
    await new Promise((resolve) => setTimeout(resolve))
    if (signal.aborted) return null
    begunAt = performance.now()
  }
  return signal.aborted ? null : reader.read
}
