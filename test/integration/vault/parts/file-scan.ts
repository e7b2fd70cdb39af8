import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Names of the files under the folder that hold the text in a form a reader would find: as it is, UTF-16, hex, base64. */
export const filesWithText = (folder: string, text: string): string[] =>
  filesWith(folder, [
    Buffer.from(text),
    Buffer.from(text, 'utf16le'),
    Buffer.from(Buffer.from(text).toString('hex')),
    ...base64Forms(text).map((form) => Buffer.from(form)),
  ])

/** The bytes themselves, hex and base64 of them. */
export const filesWithBytes = (folder: string, bytes: Buffer): string[] =>
  filesWith(folder, [
    bytes,
    Buffer.from(bytes.toString('hex')),
    Buffer.from(bytes.toString('base64').replaceAll('=', '')),
  ])

const filesWith = (folder: string, needles: readonly Buffer[]): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      const content = contentOf(file)
      return needles.some((needle) => content.includes(needle))
    })

/** A running server removes files between their listing and their reading. */
const contentOf = (file: string): Buffer => {
  try {
    return readFileSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}

/** Inside a longer text the letters depend on where the text begins: the middle of each of the three alignments. */
const base64Forms = (text: string): string[] =>
  [0, 1, 2].flatMap((shift) => {
    const padded = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)])
    const whole = padded.length - (padded.length % 3)
    const middle = padded.subarray(0, whole).toString('base64').slice(4)
    return [middle, middle.replaceAll('+', '-').replaceAll('/', '_')]
  })
