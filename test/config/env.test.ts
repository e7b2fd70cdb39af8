import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { allSettings, foreignNames, groupTitles, PREFIX } from '../../src/config/env.ts'
import { unitOf } from '../../src/config/setting.ts'

const COUNTS = /_(MAX|PORT|CONCURRENCY|WORKERS|FACTOR)$/

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
    for (const { group, setting } of allSettings()) {
      expect(groupTitles[group]).toBeTruthy()
      expect(setting.doc, setting.name).toMatch(/^[A-Z].*\.$/s)
    }
  })

  it('has a unit at the end of the name of every number, in the variable as in the code', () => {
    for (const { key, setting } of allSettings()) {
      if (
        setting.kind !== 'integer' ||
        (COUNTS.test(setting.name) && !setting.name.endsWith('_BYTES_MAX')) ||
        setting.name === 'PORT'
      )
        continue
      expect(unitOf(setting.name), setting.name).not.toBe('')
      const last = setting.name.split('_').at(-1) ?? ''
      expect(key.toLowerCase().endsWith(last.toLowerCase()), `${key} and ${setting.name}`).toBe(true)
    }
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
