import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { outputs } from './generate/outputs.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

for (const { file, render } of outputs) {
  const path = `${root}${file}`
  const now = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const text = render(now)
  if (text !== now) writeFileSync(path, text)
  console.log(`${text === now ? 'unchanged' : 'written  '} ${file}`)
}
