import { actorsThat } from '../../host/parts/actors-that.ts'
import { describe, expect, it } from 'vitest'
import { authorOf } from '../../../src/actors/tenant/author.ts'
import { LedgerRefused } from '../../../src/ports/ledger.ts'

const answering = (found: unknown) => actorsThat({ read: () => found })
const signerOf = (seed: string) => ({ did: seed, sign: (input: Uint8Array) => input })

describe('the author of a ledger write', () => {
  it('is there once the identity is on the ledger', async () => {
    const actors = answering({ seed: 's', registered: true })
    expect(await authorOf({ actors, signerOf }, 'ten_00aaaaaaaa')).toMatchObject({ did: 's' })
  })

  it.each([{ seed: 's', registered: false, lastError: null }, { seed: null }, { refused: 'not_found' }])(
    'is waited for while there is %j',
    async (reply) => {
      await expect(authorOf({ actors: answering(reply), signerOf }, 'ten_00aaaaaaaa')).rejects.toThrow(
        'identity',
      )
    },
  )

  it('is not waited for once the ledger has refused it', async () => {
    const actors = answering({ seed: 's', registered: false, lastError: 'no role' })
    await expect(authorOf({ actors, signerOf }, 'ten_00aaaaaaaa')).rejects.toThrow(LedgerRefused)
  })
})
