/** What a record went through: hours since 1970, and numbers of states. */
export type Said = readonly (readonly [hour: number, step: number])[]

/** `494000:1,2,3;494001:4`: most records go through their states within an hour, and a file has millions of them. */
export const textOf = (said: Said): string => {
  let text = ''
  let last = Number.NaN
  for (const [hour, step] of said) {
    text += hour === last ? `,${step}` : `${text === '' ? '' : ';'}${hour}:${step}`
    last = hour
  }
  return text
}

export const saidIn = (text: string): Said =>
  text === ''
    ? []
    : text.split(';').flatMap((span) => {
        const [hour = '', steps = ''] = span.split(':')
        return steps.split(',').map((step) => [Number(hour), Number(step)] as const)
      })
