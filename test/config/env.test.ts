import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { allSettings, foreignNames, groupTitles, PREFIX } from '../../src/config/env.ts'
import { unitOf } from '../../src/config/setting.ts'

const COUNTS = /_(MAX|PORT|CONCURRENCY|WORKERS|FACTOR|PARTITIONS)$/

describe('the table of settings', () => {
  it('names every setting once', () => {
    const names = allSettings().map(({ setting }) => setting.name)
    expect(new Set(names).size).toBe(names.length)
  })

  it('prefixes every name but PORT, which platforms set', () => {
    const plain = allSettings().filter(({ setting }) => !setting.name.startsWith(PREFIX))
    expect(plain.map(({ setting }) => setting.name)).toEqual(['PORT'])
  })

  it('has a title for every group and a sentence for every setting', () => {
    const bare = allSettings().filter(
      ({ group, setting }) => !groupTitles[group] || !/^[A-Z].*\.$/s.test(setting.doc),
    )
    expect(bare.map(({ setting }) => setting.name)).toEqual([])
  })

  it('has a unit at the end of the name of every number, in the variable as in the code', () => {
    const numbers = allSettings().filter(
      ({ setting }) => setting.kind === 'integer' && setting.name !== 'PORT',
    )
    const wrong = numbers.filter(({ key, setting: { name } }) => {
      const last = name.split('_').at(-1) ?? ''
      return (unitOf(name) === '' && !COUNTS.test(name)) || !key.toLowerCase().endsWith(last.toLowerCase())
    })
    expect(wrong.map(({ key, setting }) => `${key} and ${setting.name}`)).toEqual([])
  })

  it('has a reader in the code for every name with the prefix that the repository mentions', () => {
    const found = execFileSync(
      'git',
      ['grep', '-hoE', `\\b${PREFIX}[A-Z0-9_]*[A-Z0-9]\\b`, '--', '*', ':!test', ':!*.md'],
      {
        encoding: 'utf8',
      },
    )
    const known = new Set([...allSettings().map(({ setting }) => setting.name), ...Object.keys(foreignNames)])
    expect([...new Set(found.trim().split('\n'))].filter((name) => !known.has(name))).toEqual([])
  })
})
