import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')

type Manifest = {
  readonly [Group in 'dependencies' | 'optionalDependencies' | 'devDependencies']: Readonly<
    Record<string, string>
  >
}

describe('the architecture page', () => {
  const page = read('docs/ARCHITECTURE.md')

  it('says of every dependency why it is there, and of no other', () => {
    const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
      read('package.json'),
    ) as Manifest
    const ofConsole = (JSON.parse(read('console/package.json')) as Manifest).dependencies
    const table = page.slice(page.indexOf('## Dependencies'), page.indexOf('## Thin places'))
    const rows = table.split('\n').filter((line) => line.startsWith('| `'))
    const explained = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map((found) => found[1] ?? ''),
    )
    const all = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies, ...ofConsole })
    expect(explained.toSorted()).toEqual(all.toSorted())
  })

  it('names only files that exist', () => {
    const named = [...page.matchAll(/`((?:src|test|docs|sdk)\/[\w./-]+\.(?:ts|md|json))`/g)].map(
      (found) => found[1] ?? '',
    )
    expect(named.length).toBeGreaterThan(10)
    const missing = named.filter((file) => {
      try {
        return read(file) === ''
      } catch {
        return true
      }
    })
    expect(missing).toEqual([])
  })
})
