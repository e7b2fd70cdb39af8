import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const console = fileURLToPath(new URL('../../console/', import.meta.url))

/** The files of `console/dist` by their names, as the sources make them. */
export const builtConsole = async (): Promise<ReadonlyMap<string, string>> => {
  const files = new Map<string, string>()
  const style = hashed('console', 'css', styleText())
  files.set(...style)
  const icon = hashed('icon', 'svg', readFileSync(`${console}src/styles/icon.svg`, 'utf8'))
  files.set(...icon)
  const bundle = await rolldown({
    input: `${console}src/main.tsx`,
    cwd: console,
    tsconfig: `${console}tsconfig.json`,
    logLevel: 'warn',
    onLog: (level, log) => {
      throw new Error(`${level}: ${log.message}`)
    },
  })
  const { output } = await bundle.generate({
    format: 'es',
    minify: true,
    entryFileNames: 'main.[hash].js',
    chunkFileNames: '[name].[hash].js',
    hashCharacters: 'hex',
    codeSplitting: { groups: SHARED },
  })
  await bundle.close()
  for (const file of output) {
    if (file.type !== 'chunk') throw new Error(`${file.fileName} is no script`)
    files.set(file.fileName, file.code)
  }
  const main = output[0].fileName
  const imported = output[0].imports
  files.set('index.html', page({ style: style[0], icon: icon[0], main, imported }))
  return new Map([...files].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/**
 * What most pages share comes with the first one, in one file, so that a page that is opened later is one request more
 * and not ten.
 */
const SHARED = [
  { name: 'shared', test: /node_modules|[\\/]src[\\/](api|state|parts|texts|sign-in)[\\/]/ },
  { name: 'lists', test: /[\\/]src[\\/](lists|records)[\\/]/ },
]

/** Own properties first, then whatever uses them; the names begin with the number of their turn. */
const styleText = (): string =>
  readdirSync(`${console}src/styles`)
    .filter((name) => name.endsWith('.css'))
    .toSorted()
    .map((name) => withoutComments(readFileSync(`${console}src/styles/${name}`, 'utf8')))
    .join('')

const withoutComments = (css: string): string =>
  css
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\n\s*/g, '\n')
    .replaceAll(/\n+/g, '\n')

const hashed = (stem: string, ending: string, text: string): [name: string, text: string] => [
  `${stem}.${createHash('sha256').update(text).digest('hex').slice(0, 8)}.${ending}`,
  text,
]

type Named = {
  readonly style: string
  readonly icon: string
  readonly main: string
  readonly imported: readonly string[]
}

const page = ({ style, icon, main, imported }: Named): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Vouchsafe</title>
<link rel="icon" href="/console/assets/${icon}" type="image/svg+xml">
<link rel="stylesheet" href="/console/assets/${style}">
<script type="module" src="/console/assets/${main}"></script>
${imported.map((file) => `<link rel="modulepreload" href="/console/assets/${file}">\n`).join('')}</head>
<body>
<div id="console"></div>
<noscript><p class="without-script">The console needs JavaScript. The API and its guides can be read without it at <a href="/docs">/docs</a>.</p></noscript>
</body>
</html>
`
