import { looks } from './looks.ts'

/** A page with all pictures, a line for each page of the console. */
export const pictureIndex = (names: readonly string[]): string => {
  const kinds = Object.keys(looks)
  const cell = (name: string, look: string): string =>
    `<img src="${look}/${name}.webp" alt="${name}, ${look}" width="${look === 'phone' ? 120 : 340}">`
  const rows = names
    .toSorted()
    .map((name) => `| \`${name}\` | ${kinds.map((look) => cell(name, look)).join(' | ')} |`)
  return `# Pictures of the console

Every page, what comes over it, and what it says while it is empty: on a desk in light and dark, and on a phone 390 pixels wide. \`npm run console:pictures\` takes them anew, from a service of its own in which something of everything has happened.

| page | ${kinds.join(' | ')} |
| --- | ${kinds.map(() => '---').join(' | ')} |
${rows.join('\n')}
`
}
