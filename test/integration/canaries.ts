import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A secret by its name, so that a failure says which one was found without showing it. */
export type Canaries = ReadonlyMap<string, string>

const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesOf(path) : [path]
  })

/** As it is, and in the forms that texts take on their way: escaped, in a URL, in hex, in base64 at any offset. */
const formsOf = (secret: string): readonly Buffer[] => {
  const bytes = Buffer.from(secret)
  const inBase64 = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '')
      // What its neighbours share with it is left out.
      .slice(offset === 0 ? 0 : 4, -4),
  )
  const texts = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('hex'),
    ...inBase64.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]),
  ]
  return [...new Set(texts)].map((text) => Buffer.from(text))
}

/** Where which canary was found. */
export const foundIn = (place: string, content: Buffer, canaries: Canaries): readonly string[] =>
  [...canaries].flatMap(([name, secret]) =>
    formsOf(secret).some((form) => content.includes(form)) ? [`${name} in ${place}`] : [],
  )

export const foundInFolder = (folder: string, canaries: Canaries): readonly string[] =>
  filesOf(folder).flatMap((file) => foundIn(file.slice(folder.length + 1), readFileSync(file), canaries))
