import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KeyClaims } from '../../../src/actors/mediated-key/claims.ts'
import { mediatedKeyKind } from '../../../src/actors/mediated-key/index.ts'
import { refOfText } from '../../../src/actors/ids.ts'
import {
  mediatedKey,
  mediatedKeyDecider,
  type MediatedKeyCommand,
} from '../../../src/actors/mediated-key/rules.ts'
import type { Actors } from '../../../src/ports/actors.ts'
import { SHARD_COUNT } from '../../../src/domain/references.ts'
import { createRuntime } from '../../../src/host/runtime.ts'
import { givenPorts } from '../given-ports.ts'
import { MemoryJournal } from '../../host/parts/memory-journal.ts'
import { openHost } from '../../host/parts/open-host.ts'
import { runDecider } from '../../domain/run-decider.ts'

const claim = (mailbox: string): MediatedKeyCommand => ({ type: 'ClaimKey', atMs: 1, mailbox })

describe('the claim of a key', () => {
  it('is its first mailbox’s, whoever else asks for it', () => {
    const { state, replies, events } = runDecider(mediatedKeyDecider, [
      claim('mbx_one'),
      claim('mbx_one'),
      claim('mbx_two'),
    ])
    expect(state).toMatchObject({ mailbox: 'mbx_one' })
    expect(events).toHaveLength(1)
    expect(replies[2]).toMatchObject({ refused: 'forbidden' })
  })
})

describe('claims', () => {
  let host: Awaited<ReturnType<typeof openHost>>
  let reads = 0
  const counted = (): Actors => {
    const { host: actors } = host
    return {
      ask: (to, command, options) => actors.ask(to, command, options),
      read: (from, options) => {
        reads += 1
        return actors.read(from, options)
      },
      askAtomically: (members, options) => actors.askAtomically(members, options),
    }
  }
  beforeAll(async () => {
    const definitions = [mediatedKeyKind.definition(givenPorts({}))]
    const shards = Array.from({ length: SHARD_COUNT }, (_, shard) => shard)
    host = await openHost(new MemoryJournal(), { definitions, shards })
  })
  afterAll(() => host.host[Symbol.asyncDispose]())

  it('are found by one read, and by none the next time', async () => {
    const [mine, others] = [0, 1].map(() => new KeyClaims({ actors: counted(), runtime: createRuntime() }))
    expect(await mine?.mailboxOf('key')).toBeNull()
    expect(await mine?.claim('key', 'mbx_one')).toBe(true)
    expect(await others?.claim('key', 'mbx_two')).toBe(false)
    reads = 0
    expect(await mine?.mailboxOf('key')).toBe('mbx_one')
    expect(reads).toBe(0)
    expect(await others?.mailboxOf('key')).toBe('mbx_one')
    expect(await others?.mailboxOf('key')).toBe('mbx_one')
    expect(reads).toBe(1)
  })
  it('that went with an organisation are another’s to have, also where somebody remembers them', async () => {
    const claims = new KeyClaims({ actors: counted(), runtime: createRuntime() })
    expect(await claims.claim('late', 'mbx_one')).toBe(true)
    await host.host.remove(refOfText(mediatedKey, 'late'))
    expect(await claims.claim('late', 'mbx_two')).toBe(true)
    await host.host.remove(refOfText(mediatedKey, 'late'))
    expect(await claims.mailboxOf('late')).toBe('mbx_two')
    claims.forget('late')
    expect(await claims.mailboxOf('late')).toBeNull()
  })
})
