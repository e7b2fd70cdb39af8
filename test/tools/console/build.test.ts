import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { builtConsole } from '../../../tools/console/build.ts'

const dist = new URL('../../../console/dist/', import.meta.url)
let built: ReadonlyMap<string, string> = new Map()
beforeAll(async () => {
  built = await builtConsole()
})

describe('the console as it is committed', () => {
  it('is what its sources make', () => {
    expect(readdirSync(dist).toSorted(), 'run `npm run generate`').toEqual([...built.keys()])
    for (const [name, text] of built)
      expect(readFileSync(new URL(name, dist), 'utf8'), `${name}: run \`npm run generate\``).toBe(text)
  })

  it('is the same whenever it is built', async () => {
    expect(await builtConsole()).toEqual(built)
  })

  it('has a page that its policy allows: nothing inline, nothing from elsewhere', () => {
    const page = built.get('index.html') ?? ''
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|https?:\/\//)
    const named = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address)
    for (const address of named.filter((each) => each !== '/docs'))
      expect(built.has((address ?? '').replace('/console/assets/', '')), address).toBe(true)
  })

  it('makes no markup of texts and evaluates none', () => {
    const scripts = [...built].filter(([name]) => name.endsWith('.js'))
    expect(scripts.length).toBeGreaterThan(3)
    for (const [name, text] of scripts)
      expect(text, name).not.toMatch(/\beval\(|new Function\(|document\.write/)
  })

  it('weighs less than 60 KB for the first page, and 120 KB for all of them', () => {
    const page = built.get('index.html') ?? ''
    const weightOf = (text: string): number => gzipSync(text, { level: 9 }).length
    const first = [...built].filter(([name]) => name === 'index.html' || page.includes(name))
    const sum = (files: readonly (readonly [string, string])[]): number =>
      files.reduce((total, [, text]) => total + weightOf(text), 0)
    expect(sum(first)).toBeLessThan(60_000)
    expect(sum([...built])).toBeLessThan(120_000)
  })
})
