import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { builtConsole } from './console/build.ts'
import { outputs } from './generate/outputs.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

for (const { file, render } of outputs) {
  const path = `${root}${file}`
  const now = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const text = render(now)
  if (text !== now) writeFileSync(path, text)
  console.log(`${text === now ? 'unchanged' : 'written  '} ${file}`)
}

const dist = `${root}console/dist/`
mkdirSync(dist, { recursive: true })
const built = await builtConsole()
for (const name of readdirSync(dist)) if (!built.has(name)) rmSync(`${dist}${name}`)
for (const [name, text] of built) writeFileSync(`${dist}${name}`, text)
console.log(`built     console/dist, ${built.size} files`)
