import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const made: string[] = []

/** A folder of one's own that is gone when the test file is done. */
export const temporaryFolder = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`))
  made.push(folder)
  return folder
}

/** A program that was just ended may still hold or write a file for a moment. */
export const removeTemporaryFolders = (): void => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
