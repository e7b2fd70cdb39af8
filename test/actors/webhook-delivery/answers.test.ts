import { describe, expect, it } from 'vitest'
import { openAnswer, sealAnswer } from '../../../src/actors/webhook-delivery/answers.ts'
import { MemoryVault } from '../../host/parts/memory-vault.ts'

const tenant = 'ten_00aaaaaaaa'
const record = 'cre_00aaaaaaaa'
const answerOf = (recordId: string, number = 1) => ({
  delivery: 'whd_00aaaaaaaa',
  tenant,
  event: { recordId },
  number,
})
const world = async () => {
  const vault = new MemoryVault()
  await vault.create(record)
  return { vault, ports: { vault, hasOwnKey: (id: string) => id === record } }
}

describe('what a receiver answers', () => {
  it('goes with the record that the event is about', async () => {
    const { vault, ports } = await world()
    const sealed = await sealAnswer(ports, answerOf(record), 'Ada is in')
    expect(sealed).not.toContain('Ada')
    expect(await openAnswer(ports, answerOf(record), sealed)).toBe('Ada is in')
    await vault.erase(record)
    expect(await openAnswer(ports, answerOf(record), sealed)).toBeNull()
  })

  it('is not kept where it cannot be sealed', async () => {
    const { vault, ports } = await world()
    vault.isAway = true
    expect(await sealAnswer(ports, answerOf(record), 'Ada is in')).toBeNull()
  })

  it('is sealed by the organisation where the record has no key of its own', async () => {
    const { vault, ports } = await world()
    const sealed = await sealAnswer(ports, answerOf('wal_00aaaaaaaa'), 'woken')
    await vault.erase(record)
    expect(await openAnswer(ports, answerOf('wal_00aaaaaaaa'), sealed)).toBe('woken')
  })

  it('is nothing where there was none, or none is kept', async () => {
    const { ports } = await world()
    expect(await sealAnswer(ports, answerOf(record), '')).toBeNull()
    for (const none of [null, undefined]) expect(await openAnswer(ports, answerOf(record), none)).toBeNull()
  })
})
