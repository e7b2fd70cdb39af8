import { describe, expect, it } from 'vitest'
import { beginOfferJob } from '../../../src/actors/credential-offer-job/begin.ts'
import { offerJob } from '../../../src/actors/credential-offer-job/rules.ts'
import type { SentOffer, SentOffers } from '../../../src/actors/credential-offer-job/sent-offers.ts'
import { canonicalJson } from '../../../src/actors/idempotency-claim/idempotency.ts'
import { isRefused } from '../../../src/domain/decider.ts'
import { shardDigits } from '../../../src/domain/references.ts'
import { clearPart } from '../../../src/host/codec.ts'
import { type JournalEntry, ShardLost } from '../../../src/ports/journal.ts'
import { furnished, serviceOnMemory, type ServiceOnMemory } from '../../compose/service-on-memory.ts'
import { eventually } from '../../eventually.ts'
import { MemoryBodies } from '../../host/parts/memory-bodies.ts'
import { MemoryJournal } from '../../host/parts/memory-journal.ts'
import { MemoryVault } from '../../host/parts/memory-vault.ts'
import { testRuntime } from '../../host/parts/test-runtime.ts'

type Death = { readonly atCommit: number; readonly is: 'before' | 'behind' }

/** The process that writes it dies at one commit: before that is durable, or behind it and before anybody knows. */
class MortalJournal extends MemoryJournal {
  commits = 0
  death: Death | null = null
  isDead = false

  override write(entries: readonly JournalEntry[]): void {
    this.commits += 1
    if (this.death === null || this.commits !== this.death.atCommit) {
      super.write(entries)
      return
    }
    if (this.death.is === 'behind') super.write(entries)
    this.isDead = true
    for (const shard of this.opened.values()) shard.lose('fenced')
    throw new ShardLost(0, 'fenced')
  }
}

const ITEMS = 5
/** One whose attributes are no offer's. */
const WRONG = 3

/** Three waves of two items, two and one. */
const offersFor = (connectionId: string, credentialDefinitionId: string): SentOffers => {
  const offers = Array.from(
    { length: ITEMS },
    (_, index): SentOffer => ({
      connectionId,
      credentialDefinitionId,
      attributes: { name: 'Ada', ...(index !== WRONG && { expiresAt: '2000000000' }) },
    }),
  )
  const keyOf = (index: number): string => `item ${index}`
  const waves = [[0, 3], [1, 4], [2]].map((indexes) => ({
    indexes,
    items: indexes.map((index) => [keyOf(index), connectionId, canonicalJson(offers[index])] as const),
  }))
  return { total: ITEMS, keys: JSON.stringify(offers.map((_, index) => keyOf(index))), waves }
}

/** A service that is opened again over what it had written whenever it has died. */
const mortalService = async () => {
  const journal = new MortalJournal()
  const kept = { journal, vault: new MemoryVault(), bodies: new MemoryBodies(), runtime: testRuntime() }
  let service: ServiceOnMemory = await serviceOnMemory(undefined, kept)
  const at = await furnished(service)
  const alive = async (): Promise<ServiceOnMemory> => {
    if (!journal.isDead) return service
    journal.isDead = false
    const before = service
    service = await serviceOnMemory(undefined, kept)
    await before.close()
    return service
  }
  const offersMade = () => {
    const made = [...journal.events].filter(([actor]) => actor.startsWith('cre_'))
    return made.map(([actor, events]) => ({
      actor,
      times: events.filter(({ data }) => typeOf(data) === 'CredentialOffered').length,
    }))
  }
  return { ...kept, at, alive, offersMade, close: async () => (await alive()).close() }
}

const typeOf = (stored: string): unknown => (clearPart(stored).data as { readonly type: unknown }).type

type Mortal = Awaited<ReturnType<typeof mortalService>>

/** The caller sends the request until it is answered, as one does who got no answer. */
const request = async (mortal: Mortal, id: string): Promise<void> => {
  const { connectionId, definitionId, tenant } = mortal.at
  const offers = offersFor(connectionId, definitionId)
  for (let attempt = 0; attempt < 3; attempt++) {
    const { useCases } = await mortal.alive()
    const begun = await beginOfferJob(useCases, { tenant, id, offers }).catch(() => null)
    if (begun !== null && !isRefused(begun)) return
  }
  throw new Error('the request was never answered')
}

const finished = (mortal: Mortal, id: string) =>
  eventually(async () => {
    const { actors } = await mortal.alive()
    const job = await actors.read(offerJob.ref(id))
    if (isRefused(job)) throw new Error(job.reason)
    expect(job).toMatchObject({ status: 'finished', offered: ITEMS - 1, results: { length: ITEMS } })
    return job
  })

const run = async (death: Death | null): Promise<number> => {
  const mortal = await mortalService()
  const { journal, bodies, at } = mortal
  const newJob = (unique: string): string => offerJob.newRef(shardDigits(at.tenant), unique)
  const [first, again] = [newJob('a'.repeat(10)), newJob('b'.repeat(10))]
  const said = JSON.stringify(death)
  try {
    journal.commits = 0
    journal.death = death
    await request(mortal, first)
    const { results } = await finished(mortal, first)
    const ids = results.flatMap(([, credentialId]) => credentialId ?? [])
    const made = mortal.offersMade()
    expect(
      made.map(({ times }) => times),
      said,
    ).toEqual(Array.from({ length: ITEMS - 1 }, () => 1))
    expect(ids.toSorted(), said).toEqual(made.map(({ actor }) => actor).toSorted())
    const { commits } = journal
    if (death === null) return commits
    // The same items in another request find what there is.
    await request(mortal, again)
    const repeated = await finished(mortal, again)
    const idsAgain = repeated.results.flatMap(([, credentialId]) => credentialId ?? [])
    expect(idsAgain.toSorted(), said).toEqual(ids.toSorted())
    expect(mortal.offersMade(), said).toHaveLength(ITEMS - 1)
    // Nothing of what the items said is left.
    await eventually(() => {
      const left = [...bodies.kept.keys()].map((name) => name.slice(0, first.length))
      expect(left.toSorted(), said).toEqual([first, again])
    })
    return commits
  } finally {
    await mortal.close()
  }
}

describe('a job whose process dies', () => {
  it('offers each item once, at whichever commit that was, and however often the request comes', async () => {
    const commits = await run(null)
    expect(commits).toBeGreaterThan(ITEMS * 2)
    for (let atCommit = 1; atCommit <= commits; atCommit++)
      for (const is of ['before', 'behind'] as const) await run({ atCommit, is })
  }, 240_000)
})
