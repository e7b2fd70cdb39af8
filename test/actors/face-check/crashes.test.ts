import { expect, it } from 'vitest'
import type {
  AskedSession,
  Attempt,
  Begun,
  Reading,
  VendorAccount,
  WantedSession,
} from '../../../src/ports/face-vendor.ts'
import { Random } from '../../../tools/simulate/random.ts'
import { eventually } from '../../eventually.ts'
import { type CheckWorld, checkWorld } from './check-world.ts'
import { PlayedVendor } from './played-vendor.ts'

const CHECKS = 12
const ATTEMPTS = 3

/** A vendor that remembers its sessions whatever becomes of us, and gives the same number the same session. */
class RememberingVendor extends PlayedVendor {
  readonly results = new Map<string, Attempt['verdict'] | null>()
  readonly ended = new Set<string>()
  /** Called in the middle of a call. */
  during = (): void => undefined

  override async begin(account: VendorAccount, wanted: WantedSession): Promise<Begun> {
    const begun = await super.begin(account, wanted)
    const sessionId = `${wanted.checkId}-${wanted.number}`
    if (!this.results.has(sessionId)) this.results.set(sessionId, null)
    this.during()
    return begun
  }

  override async read(_: VendorAccount, { sessionId }: AskedSession): Promise<Reading> {
    const verdict = this.results.get(sessionId) ?? null
    this.during()
    if (verdict === null) return { kind: 'not-yet' }
    const matchScore = verdict === 'passed' ? 95 : 5
    return { kind: 'results', attempts: [{ id: sessionId, verdict, livenessScore: 99, matchScore }] }
  }

  override async end(account: VendorAccount, sessionId: string) {
    this.ended.add(sessionId)
    this.during()
    return super.end(account, sessionId)
  }
}

/** The newest session that the wallet was told of and has not captured in. */
const toldSession = (at: CheckWorld, vendor: RememberingVendor): string | null => {
  const sessions = at.sent.flatMap(({ message }) =>
    message.type.endsWith('/session') ? [(message.body['session'] as { sessionId: string }).sessionId] : [],
  )
  return sessions.findLast((id) => vendor.results.get(id) === null && !vendor.ended.has(id)) ?? null
}

it('counts each attempt once, and signs nothing that was not passed, wherever the process dies', async () => {
  const seed = Math.floor(Math.random() * 1e9)
  const chance = new Random(seed)
  const random = (): number => chance.next()
  for (let round = 0; round < CHECKS; round += 1) {
    const vendor = new RememberingVendor()
    const at = await checkWorld(vendor)
    const said = `seed ${seed}, round ${round}`
    try {
      const passesAt = 1 + Math.floor(random() * (ATTEMPTS + 1))
      let crashing: Promise<void> = Promise.resolve()
      let crashes = 0
      vendor.during = () => {
        if (crashes > 4 || random() > 0.4) return
        crashes += 1
        crashing = crashing.then(() => at.crash())
      }
      const asked = async (ask: () => Promise<unknown>): Promise<void> => {
        await crashing
        await ask().catch(() => undefined)
      }
      await at.offer()
      await at.request()
      for (let attempt = 1; attempt <= Math.min(passesAt, ATTEMPTS); attempt += 1) {
        await eventually(async () => {
          if (toldSession(at, vendor) === null) await asked(() => at.begin())
          expect(toldSession(at, vendor), said).not.toBeNull()
        })
        const sessionId = toldSession(at, vendor) ?? ''
        vendor.results.set(sessionId, attempt === passesAt ? 'passed' : 'another-person')
        await eventually(async () => {
          await asked(() => at.captured())
          await crashing
          expect((await at.exchange()).faceCheck?.attempts, said).toBe(attempt)
        })
        if (attempt < passesAt) expect(at.world.signatures, said).toBe(0)
      }
      const isPassed = passesAt <= ATTEMPTS
      vendor.during = () => undefined
      await crashing
      await eventually(async () => {
        const record = await at.exchange()
        expect([record.faceCheck?.status, record.status], said).toEqual(
          isPassed ? ['passed', 'credential-issued'] : ['failed', 'request-received'],
        )
      })
      expect((await at.exchange()).faceCheck?.attempts, said).toBe(Math.min(passesAt, ATTEMPTS))
      if (!isPassed) expect(at.world.signatures, said).toBe(0)
      // Nothing that the vendor began is left there, and no image here.
      await eventually(() =>
        expect(
          [...vendor.results.keys()].filter((id) => !vendor.ended.has(id)),
          said,
        ).toEqual([]),
      )
      await eventually(() => expect(at.imagesKept(), said).toEqual([]))
    } finally {
      await at.close()
    }
  }
}, 240_000)
