import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formsOf } from './forms.ts'

const PAGE_BYTES_MAX = 65_536

/** Some bytes, and where they were found. */
export type Place = { readonly name: string; readonly bytes: Buffer }

/** Every file below the folders. */
export const placesIn = (folders: readonly string[]): readonly Place[] =>
  folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .flatMap((entry) => placeOf(join(entry.parentPath, entry.name))),
  )

/** A running server removes files between their listing and their reading. */
const placeOf = (name: string): readonly Place[] => {
  try {
    return [{ name, bytes: withoutEmptyEnd(readFileSync(name)) }]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Logs are made in their whole size before they are written. */
const withoutEmptyEnd = (bytes: Buffer): Buffer => {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end--
  // SQLite's pages may end empty, and count in their whole size.
  return bytes.subarray(0, Math.min(bytes.length, Math.ceil(end / PAGE_BYTES_MAX) * PAGE_BYTES_MAX))
}

/** As they are, in hex and in base64. */
const binaryForms = (bytes: Buffer): readonly Buffer[] => [
  bytes,
  Buffer.from(bytes.toString('hex')),
  Buffer.from(bytes.toString('base64').replace(/=+$/, '')),
]

/** Names of the places that hold these bytes, as they are, in hex or in base64. */
export const placesWith = (places: readonly Place[], bytes: Buffer): readonly string[] => {
  const forms = binaryForms(bytes)
  return places.filter((place) => forms.some((form) => place.bytes.includes(form))).map(({ name }) => name)
}

const END_BYTES = 4
const ENDS = 2 ** 22

/**
 * Those of many random bytes that stand in any place, in the same forms. Each place is read once for all of them, by
 * their last four bytes: tens of thousands of keys are looked for in some hundred megabytes.
 */
export const standingIn = (places: readonly Place[], wanted: readonly Buffer[]): ReadonlySet<Buffer> => {
  const byEnd = new Map<number, { readonly form: Buffer; readonly of: Buffer }[]>()
  const mayEnd = new Uint8Array(ENDS)
  for (const of of wanted) {
    for (const form of binaryForms(of)) {
      const end = form.readUInt32BE(form.length - END_BYTES)
      mayEnd[end % ENDS] = 1
      const others = byEnd.get(end)
      if (others === undefined) byEnd.set(end, [{ form, of }])
      else others.push({ form, of })
    }
  }
  const found = new Set<Buffer>()
  for (const { bytes } of places) {
    let end = 0
    for (let at = 0; at < bytes.length; at++) {
      end = ((end << 8) | (bytes[at] ?? 0)) >>> 0
      if (mayEnd[end % ENDS] === 0) continue
      for (const { form, of } of byEnd.get(end) ?? []) {
        const from = at + 1 - form.length
        if (from >= 0 && bytes.compare(form, 0, form.length, from, at + 1) === 0) found.add(of)
      }
    }
  }
  return found
}

/** Names of the files under the folder that hold the bytes, or the text in any encoding. */
export const filesWithBytes = (folder: string, bytes: Buffer): readonly string[] =>
  placesWith(placesIn([folder]), bytes)
export const filesWithText = (folder: string, text: string): readonly string[] => {
  const forms = formsOf(text).flatMap(([, each]) => each)
  return placesIn([folder])
    .filter(({ bytes }) => forms.some((form) => bytes.includes(form)))
    .map(({ name }) => name)
}
