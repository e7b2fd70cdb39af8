import { describe, expect, it } from 'vitest'
import { readPolicy } from '../../../src/actors/biometric-policy/account.ts'
import { AskFailed, NoSuchActor } from '../../../src/ports/actors.ts'
import { actorsThat } from '../../host/parts/actors-that.ts'

const failingWith = (error: Error) => {
  const read = async (): Promise<never> => {
    throw error
  }
  return { actors: actorsThat({ read }) }
}

describe('the policy of an organisation', () => {
  it('is none where a node of a release without policies serves it, and unknown where nobody answers', async () => {
    expect(await readPolicy(failingWith(new NoSuchActor()), 'ten_00aaaaaaaa')).toBeNull()
    const away = readPolicy(failingWith(new AskFailed('unavailable', 'away', 1)), 'ten_00aaaaaaaa')
    await expect(away).rejects.toThrow('away')
  })
})
