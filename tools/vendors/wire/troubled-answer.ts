import { setTimeout as pause } from 'node:timers/promises'
import type { WireReply } from './request-and-reply.ts'
import type { Outcome } from './loopback.ts'
import type { Trouble } from './troubles.ts'

/** How the vendor says these to this caller. */
export type VendorsWords = { throttled(): WireReply; broken(): WireReply }

type Place = readonly (string | number)[]

/** What a caller gets in trouble: some of it instead of the work, the rest behind it. */
export const troubledAnswer = async (
  troubles: readonly Trouble[],
  work: () => WireReply,
  words: VendorsWords,
): Promise<Outcome> => {
  for (const trouble of troubles) {
    const instead = insteadOfWork(trouble, words)
    if (instead !== null) return instead
  }
  let outcome: Outcome = work()
  for (const trouble of troubles) {
    if (trouble.kind === 'slow') await pause(trouble.delayMs)
    else if (outcome !== 'silence' && outcome !== 'reset') outcome = behindWork(trouble, outcome)
  }
  return outcome
}

function insteadOfWork(trouble: Trouble, words: VendorsWords): Outcome | null {
  switch (trouble.kind) {
    case 'throttled':
      return words.throttled()
    case 'broken':
      return words.broken()
    case 'silent':
      return 'silence'
    case 'unreachable':
      return 'reset'
    case 'redirected':
      return { status: 307, headers: { location: trouble.to }, body: '' }
    case 'slow':
    case 'answer-lost':
    case 'truncated':
    case 'nonsense':
    case 'altered':
      return null
  }
}

function behindWork(trouble: Trouble, reply: WireReply): Outcome {
  if (trouble.kind === 'answer-lost') return 'reset'
  if (trouble.kind === 'truncated') return { ...reply, body: reply.body.slice(0, reply.body.length / 2) }
  if (trouble.kind === 'nonsense')
    return {
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: '<html><body>Welcome</body></html>',
    }
  if (trouble.kind === 'altered' && reply.status === 200 && isJsonReply(reply))
    return { ...reply, body: altered(String(reply.body), trouble.at, trouble.to) }
  return reply
}

const isJsonReply = ({ headers }: WireReply): boolean => /json/.test(headers['content-type'] ?? '')

function altered(text: string, at: Place, to: unknown): string {
  const answer: unknown = JSON.parse(text)
  return JSON.stringify(withValue(answer, at, to))
}

function withValue(value: unknown, [first, ...rest]: Place, to: unknown): unknown {
  if (first === undefined) return to
  if (Array.isArray(value))
    return value.map((each: unknown, index) => (index === first ? withValue(each, rest, to) : each))
  const members = (typeof value === 'object' ? value : {}) as Readonly<Record<string, unknown>>
  return { ...members, [first]: withValue(members[first], rest, to) }
}
