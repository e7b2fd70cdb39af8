import type { Place } from './places.ts'

const HEADER = Buffer.from('SQLite format 3\0')
const FILE_HEADER_BYTES = 100
const WAL_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const NEXT_BYTES = 4
/** A longer value is looked at in part. */
const CHAIN_PAGES_MAX = 256

/** The first page has the file's header, so no value goes on there. */
const FIRST_FOLLOWING = 2

/** One version of one page, and the group of writes after which it is current: 0 in the file, then as they follow in the log. */
type PageImage = { readonly page: number; readonly since: number; readonly bytes: Buffer }

/**
 * What SQLite spreads over several pages, put together again: a long value goes on in overflow pages that may stand
 * anywhere in the file, and in older versions in its write-ahead log. Freed pages are followed like any other, so every
 * four bytes that may be the number of a page are taken for one: too much is put together, nothing is missed. A page
 * that values go on at begins with the number of the next one or with zero; one that begins otherwise has become a page
 * of rows, and its bytes are looked through as they are.
 */
export const chainsIn = (places: readonly Place[]): readonly Place[] =>
  places
    .filter(
      ({ bytes }) => bytes.length >= FILE_HEADER_BYTES && bytes.subarray(0, HEADER.length).equals(HEADER),
    )
    .flatMap((file) => {
      const log = places.find(({ name }) => name === `${file.name}-wal`)
      return chainsOf(file, log ?? null)
    })

const chainsOf = (file: Place, log: Place | null): readonly Place[] => {
  const pageBytes = pageBytesOf(file.bytes)
  const images = [
    ...imagesOfFile(file.bytes, pageBytes),
    ...(log === null ? [] : imagesOfLog(log.bytes, pageBytes)),
  ]
  const versions = new Map<number, PageImage[]>()
  for (const image of images) versions.set(image.page, [...(versions.get(image.page) ?? []), image])
  const pagesMax = Math.max(0, ...versions.keys())
  /** As the page was at the end of the same group of writes. */
  const at = (page: number, since: number): PageImage | undefined =>
    versions.get(page)?.findLast((image) => image.since <= since) ?? versions.get(page)?.at(0)
  const goesOnAt = (page: number, since: number): boolean => {
    const next = at(page, since)?.bytes.readUInt32BE(0) ?? pagesMax + 1
    return next === 0 || (next >= FIRST_FOLLOWING && next <= pagesMax)
  }
  return images.flatMap(({ page, since, bytes }) => {
    const found = heads(bytes, pagesMax).filter((head) => goesOnAt(bytes.readUInt32BE(head), since))
    return found.map((head): Place => {
      const parts = [bytes.subarray(0, head)]
      let next = bytes.readUInt32BE(head)
      for (const seen = new Set([page]); next !== 0 && !seen.has(next) && seen.size < CHAIN_PAGES_MAX; ) {
        seen.add(next)
        const following = at(next, since)?.bytes
        if (following === undefined) break
        parts.push(following.subarray(NEXT_BYTES))
        next = following.readUInt32BE(0)
      }
      return { name: `${file.name}, page ${page} and those it leads to`, bytes: Buffer.concat(parts) }
    })
  })
}

const pageBytesOf = (bytes: Buffer): number => {
  const stored = bytes.readUInt16BE(16)
  return stored === 1 ? 65_536 : stored
}

const imagesOfFile = (bytes: Buffer, pageBytes: number): readonly PageImage[] =>
  Array.from({ length: Math.floor(bytes.length / pageBytes) }, (_, index) => ({
    page: index + 1,
    since: 0,
    bytes: bytes.subarray(index * pageBytes, (index + 1) * pageBytes),
  }))

/** Also what an earlier turn of the log left behind the current one. */
const imagesOfLog = (bytes: Buffer, pageBytes: number): readonly PageImage[] => {
  const frameBytes = FRAME_HEADER_BYTES + pageBytes
  const count = Math.max(0, Math.floor((bytes.length - WAL_HEADER_BYTES) / frameBytes))
  let since = 1
  return Array.from({ length: count }, (_, index) => {
    const start = WAL_HEADER_BYTES + index * frameBytes
    const page = bytes.readUInt32BE(start)
    const isCommit = bytes.readUInt32BE(start + 4) !== 0
    const image = { page, since, bytes: bytes.subarray(start + FRAME_HEADER_BYTES, start + frameBytes) }
    if (isCommit) since += 1
    return image
  })
}

/** Where a value may end on this page and go on at another one. */
const heads = (bytes: Buffer, pagesMax: number): readonly number[] => {
  const found: number[] = []
  for (
    let at = bytes.indexOf(0, NEXT_BYTES);
    at >= 0 && at + NEXT_BYTES <= bytes.length;
    at = bytes.indexOf(0, at + 1)
  ) {
    const page = bytes.readUInt32BE(at)
    // A value before its number: what is all zero is room that is free.
    if (page >= FIRST_FOLLOWING && page <= pagesMax && bytes[at - 1] !== 0) found.push(at)
  }
  return found
}
