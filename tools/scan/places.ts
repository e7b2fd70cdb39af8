import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { formsOf } from './forms.ts'
import { Needles } from './needles.ts'

const PAGE_BYTES_MAX = 65_536
const EMPTY_PAGE = Buffer.alloc(PAGE_BYTES_MAX)
const BYTES_AT_ONCE = 32 << 20

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
  // SQLite's pages may end empty, and count in their whole size.
  for (let end = bytes.length; end > 0; ) {
    const begin = Math.floor((end - 1) / PAGE_BYTES_MAX) * PAGE_BYTES_MAX
    if (!EMPTY_PAGE.subarray(0, end - begin).equals(bytes.subarray(begin, end))) return bytes.subarray(0, end)
    end = begin
  }
  return bytes.subarray(0, 0)
}

/** One after the other; between them others have their turn, because a whole disk takes minutes. */
export async function* unhurried(places: readonly Place[]): AsyncGenerator<Place> {
  let bytes = 0
  for (const place of places) {
    yield place
    bytes += place.bytes.length
    if (bytes < BYTES_AT_ONCE) continue
    bytes = 0
    await setImmediate()
  }
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

/** Those of many random bytes that stand in any place, in the same forms. */
export const standingIn = (places: readonly Place[], wanted: readonly Buffer[]): ReadonlySet<Buffer> => {
  const needles = new Needles<Buffer>()
  for (const bytes of wanted) for (const form of binaryForms(bytes)) needles.add(form, bytes)
  return new Set(places.flatMap(({ bytes }) => [...needles.in(bytes)].map(({ of }) => of)))
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
