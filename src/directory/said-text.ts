import { hourOf } from './place.ts'

/** What a record went through: hours since 1970, and numbers of states. */
export type Said = readonly (readonly [hour: number, step: number])[]

/**
 * `1,2,3;2:4`: numbers of states, and how many hours after the record's first they came. Most records go through their
 * states within an hour, and a file has millions of them.
 */
export const stepsText = (
  steps: readonly (readonly [name: string, atMs: number])[],
  numberOf: (name: string) => number,
  firstHour: number,
): string => {
  let text = ''
  let last = firstHour
  for (const [name, atMs] of steps) {
    const hour = hourOf(atMs)
    if (hour === last) text += text === '' ? `${numberOf(name)}` : `,${numberOf(name)}`
    else text += `${text === '' ? '' : ';'}${hour - firstHour}:${numberOf(name)}`
    last = hour
  }
  return text
}

export const saidIn = (text: string, firstHour: number): Said =>
  text === ''
    ? []
    : text.split(';').flatMap((span) => {
        const [later, steps] = span.includes(':') ? span.split(':') : ['0', span]
        const hour = firstHour + Number(later)
        return (steps ?? '').split(',').map((step) => [hour, Number(step)] as const)
      })

/** What the text says beyond an earlier one, which most rows only go on from; null where it says something else. */
export const saidAfter = (earlier: string, text: string, firstHour: number): Said | null => {
  if (earlier === '') return saidIn(text, firstHour)
  if (!text.startsWith(earlier)) return null
  const rest = text.slice(earlier.length + 1)
  if (text[earlier.length] === ';') return saidIn(rest, firstHour)
  if (text[earlier.length] !== ',') return null
  const span = earlier.slice(earlier.lastIndexOf(';') + 1)
  const later = span.includes(':') ? span.slice(0, span.indexOf(':') + 1) : ''
  return saidIn(later + rest, firstHour)
}
