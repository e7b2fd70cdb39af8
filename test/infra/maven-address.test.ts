import { describe, expect, it } from 'vitest'
import { mavenAddress } from '../../tools/infra/maven-address.ts'

describe('where the jars come from', () => {
  it('is the mirror that is named, without a slash at its end', async () => {
    expect(await mavenAddress('https://mirror.example/maven2//')).toBe('https://mirror.example/maven2')
  })

  it('is the published address when no mirror is named', async () => {
    expect(await mavenAddress(undefined)).toMatch(/^https:\/\/[a-z0-9.]*maven[a-z0-9.]*\/maven2$/)
    expect(await mavenAddress('')).toBe(await mavenAddress(undefined))
  })
})
