import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSource, type Source } from './source.ts'

export const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '')

const foreign = new Set([
  'node_modules',
  '.git',
  '.data',
  '.cache',
  '.infra',
  'coverage',
  'target',
  'dist',
  'generated',
  'fixtures',
])
const textFile =
  /(\.(ts|tsx|mjs|cjs|js|json|md|yml|yaml|toml|rs|sh|css|html|cql|conf|example)|\/[A-Z]+|Dockerfile|\/run)$/
const sourceFile = /\.(ts|tsx|mjs)$/

export type Repository = {
  readonly texts: ReadonlyMap<string, string>
  readonly sources: readonly Source[]
  /** One sentence for each source that no rule could look into. */
  readonly broken: readonly string[]
}

export function readRepository(): Repository {
  const texts = new Map(filesBelow('').map((path) => [path, readFileSync(posix.join(root, path), 'utf8')]))
  const sources: Source[] = []
  const broken: string[] = []
  for (const [path, text] of texts) {
    if (!sourceFile.test(path)) continue
    try {
      sources.push(parseSource(path, text))
    } catch (error) {
      broken.push(error instanceof Error ? error.message : String(error))
    }
  }
  return { texts, sources, broken }
}

function filesBelow(folder: string): string[] {
  return readdirSync(posix.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    if (entry.isDirectory()) return foreign.has(entry.name) ? [] : filesBelow(path)
    return entry.isFile() && textFile.test(`/${path}`) ? [path] : []
  })
}
