import { describe, expect, it } from 'vitest'
import { NotLent } from '../../../src/cluster/facts/fact-messages.ts'
import { readingCopies } from '../../../src/cluster/facts/read-copies.ts'
import type { KindTypes } from '../../../src/domain/decider.ts'
import type { Ref } from '../../../src/domain/references.ts'
import { AskFailed, NoSuchActor } from '../../../src/ports/actors.ts'
import { actorsThat } from '../../host/parts/actors-that.ts'

const policy = 'bio_00aaaaaaaa' as Ref<KindTypes>

describe('a record of another node of which copies are read', () => {
  const reading = (error: Error) => {
    const ask = async (): Promise<never> => {
      throw error
    }
    const read = async (): Promise<never> => {
      throw new NoSuchActor()
    }
    const copies = { kept: () => undefined, ask }
    const all = { copies, isOpen: () => false, isCopied: () => true }
    return Promise.resolve(readingCopies(actorsThat({ read }), all).read(policy))
  }

  it('is asked for itself where its owner cannot lend it, as one of an earlier release, and says why', async () => {
    await expect(reading(new NotLent('the owner cannot read the record'))).rejects.toThrow(NoSuchActor)
  })

  it('is not asked again where its owner does not answer', async () => {
    await expect(reading(new AskFailed('unavailable', 'away', 1))).rejects.toThrow('away')
  })
})
