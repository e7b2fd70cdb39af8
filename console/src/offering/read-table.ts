import { csvRows } from './csv.ts'
import { type Asked, LinesReader, type ReadLines } from './offer-lines.ts'

/** Reading a table stops after this time and goes on later, so that the browser draws the page and takes clicks in between. */
const PIECE_MS = 20

/** The offers and faults of a table; null where `signal` ended the reading, because another table was chosen. */
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
