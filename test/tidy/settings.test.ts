import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allSettings } from '../../src/config/env.ts'
import { root } from './repository.ts'

const readers = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith(join('config', 'settings')))
  .map((name) => readFileSync(join(root, 'src', name), 'utf8'))

const isRead = (key: string): boolean => readers.some((text) => new RegExp(`\\b${key}\\b`).test(text))

describe('every setting', () => {
  it('is read somewhere: one that does nothing is a promise to whoever sets it', () => {
    const unread = allSettings().filter(({ key }) => !isRead(key))
    expect(unread.map(({ setting }) => setting.name)).toEqual([])
  })
})
