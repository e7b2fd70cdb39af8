import { describe, expect, it } from 'vitest'
import type { AgentSteps } from '../../../sdk/core/agent/agent-steps.ts'
import type { KeptLedger } from '../../../sdk/core/agent/kept-ledger.ts'
import type { WalletAgent } from '../../../sdk/core/agent/open-agent.ts'
import type { Credentials } from '../../../sdk/core/holder/credentials.ts'
import { Offers } from '../../../sdk/core/holder/offers.ts'
import { ProofRequests } from '../../../sdk/core/holder/proof-requests.ts'
import type { Mail } from '../../../sdk/core/mail/mail.ts'
import { RowStore } from '../../../sdk/core/rows/row-store.ts'
import { sodiumCryptography } from '../../../sdk/node/sodium-cryptography.ts'
import { MemoryKeys, MemoryStorage, SteppedClock } from '../fakes.ts'

/** Rooms over an agent that does nothing: what counts is which of two decisions the rows show. */
const decided = async () => {
  const rows = await RowStore.open(new MemoryStorage(), new MemoryKeys(), sodiumCryptography)
  const done: string[] = []
  let goOn = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const does = (what: string, kind: string, state: string) => async () => {
    await gate
    done.push(what)
    const row = JSON.parse(rows.get(kind, 'x') ?? '{}') as object
    rows.put(kind, 'x', JSON.stringify({ ...row, state }))
  }
  const parts = {
    rows,
    agent: {
      didcomm: {
        credentials: {
          acceptOffer: does('accept', 'offer', 'accepted'),
          declineOffer: does('decline', 'offer', 'declined'),
        },
        proofs: {
          acceptRequest: does('present', 'proof-request', 'presented'),
          declineRequest: does('decline', 'proof-request', 'declined'),
        },
      },
    } as unknown as WalletAgent,
    ledger: {
      keep: async () => undefined,
      attempt: (work: () => Promise<unknown>) => work(),
    } as unknown as KeptLedger,
    steps: { run: (work: never) => rows.step(work) } as unknown as AgentSteps,
    mail: { exchange: async () => [] } as unknown as Mail,
    clock: new SteppedClock(),
    credentials: { list: () => [] } as unknown as Credentials,
  }
  await rows.step(async () => {
    rows.put('offer', 'x', JSON.stringify({ state: 'offered', attributes: {}, receivedAtMs: 0 }))
    rows.put('proof-request', 'x', JSON.stringify({ state: 'requested', requested: [], receivedAtMs: 0 }))
  })
  return { offers: new Offers(parts), proofRequests: new ProofRequests(parts), done, goOn }
}

const outcomes = (work: readonly Promise<unknown>[]): Promise<unknown[]> =>
  Promise.all(
    work.map((each) =>
      each.then(
        () => 'done',
        ({ kind, code }: { kind: string; code: string }) => `${kind} ${code}`,
      ),
    ),
  )

/** So that the first has begun, and nothing of it is stored yet. */
const begun = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('of two decisions at the same time', () => {
  it('about an offer the second is refused', async () => {
    const { offers, done, goOn } = await decided()
    const accepted = offers.accept('x')
    await begun()
    const both = outcomes([accepted, offers.decline('x')])
    goOn()
    expect(await both).toEqual(['done', 'NotFound offer_accepted'])
    expect(done).toEqual(['accept'])
  })

  it('about a proof request the second is refused', async () => {
    const { proofRequests, done, goOn } = await decided()
    const presented = proofRequests.present('x', {})
    await begun()
    const both = outcomes([presented, proofRequests.decline('x')])
    goOn()
    expect(await both).toEqual(['done', 'NotFound request_answered'])
    expect(done).toEqual(['present'])
  })
})
