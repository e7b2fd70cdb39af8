import { createHash } from 'node:crypto'
import type { WireRequest } from '../../wire/request-and-reply.ts'

/**
 * The one form of a request that its signature covers. Paths are taken as they are: those of the operations here
 * consist of characters that no rule about paths changes.
 */
export const canonicalRequest = (request: WireRequest, signedHeaders: readonly string[]): string =>
  [
    request.method,
    request.path,
    canonicalQuery(request.query),
    ...signedHeaders.map((name) => `${name}:${canonicalValue(request, name)}`),
    '',
    signedHeaders.join(';'),
    sha256(request.body),
  ].join('\n')

export const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')

/** Sorted by name, then by value; a name without a value has an empty one. */
function canonicalQuery(query: string): string {
  if (query === '') return ''
  return query
    .split('&')
    .map((part) => (part.includes('=') ? part : `${part}=`))
    .map((part) => part.split('='))
    .toSorted(([one = '', oneValue = ''], [other = '', otherValue = '']) =>
      one === other ? compare(oneValue, otherValue) : compare(one, other),
    )
    .map((part) => part.join('='))
    .join('&')
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Lines of one name in their order, without spaces around and with single ones inside. */
function canonicalValue({ headers }: WireRequest, name: string): string {
  return headers
    .filter(([each]) => each === name)
    .map(([, value]) => value.trim().replaceAll(/ +/g, ' '))
    .join(',')
}
