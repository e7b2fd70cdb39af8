import { headerOf, type WireRequest } from '../wire/request-and-reply.ts'

export type Part = {
  readonly filename: string | null
  readonly content: Buffer
}

const PARTS_MAX = 20
const BREAK = '\r\n'

/** The parts of a `multipart/form-data` body by their names; null for what is not exactly that. */
export const partsOf = (request: WireRequest): ReadonlyMap<string, Part> | null => {
  const boundary = boundaryOf(headerOf(request, 'content-type') ?? '')
  if (boundary === null) return null
  const { body } = request
  const opening = Buffer.from(`--${boundary}`)
  const between = Buffer.from(`${BREAK}--${boundary}`)
  if (!body.subarray(0, opening.length).equals(opening)) return null
  const parts = new Map<string, Part>()
  let at = opening.length
  while (!body.subarray(at, at + 2).equals(Buffer.from('--'))) {
    if (!body.subarray(at, at + 2).equals(Buffer.from(BREAK))) return null
    const end = body.indexOf(between, at + 2)
    const named = end === -1 ? null : partOf(body.subarray(at + 2, end))
    if (named === null || parts.has(named.name) || parts.size === PARTS_MAX) return null
    parts.set(named.name, named)
    at = end + between.length
  }
  // Behind the end there may be line breaks, and nothing else.
  return /^(\r\n)*$/.test(body.toString('latin1', at + 2)) ? parts : null
}

function boundaryOf(contentType: string): string | null {
  const found = /^multipart\/form-data\s*;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))$/i.exec(
    contentType,
  )
  return found?.[1] ?? found?.[2] ?? null
}

function partOf(bytes: Buffer): (Part & { readonly name: string }) | null {
  const end = bytes.indexOf(`${BREAK}${BREAK}`)
  if (end === -1) return null
  const lines = bytes.toString('utf8', 0, end).split(BREAK)
  const disposition = lines.find((line) => /^content-disposition:/i.test(line))
  const name = /^content-disposition:\s*form-data\s*;.*?\bname="([^"]+)"/i.exec(disposition ?? '')?.[1]
  if (name === undefined) return null
  const filename = /;\s*filename="([^"]+)"/i.exec(disposition ?? '')?.[1] ?? null
  return { name, filename, content: bytes.subarray(end + 2 * BREAK.length) }
}
