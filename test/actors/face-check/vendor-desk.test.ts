import { describe, expect, it } from 'vitest'
import type { FaceCheckRecord } from '../../../src/actors/face-check/state.ts'
import { type DeskPorts, VendorDesk } from '../../../src/actors/face-check/vendor-desk.ts'
import { refuse } from '../../../src/domain/decider.ts'
import { RecipientBusy } from '../../../src/host/effects/not-begun.ts'
import type { Obstacle } from '../../../src/ports/face-vendor.ts'
import { away, PlayedVendor } from './played-vendor.ts'

const refused: Obstacle = { kind: 'refused', what: 'key', sentence: 'No.' }
const answered = { kind: 'gone' } as const

const openDesk = (): VendorDesk =>
  new VendorDesk({
    actors: { read: async () => refuse('not_found', 'There is no policy.') },
    runtime: { monotonicMs: () => 0 },
    faceVendors: { aws_rekognition: new PlayedVendor() },
  } as unknown as DeskPorts)

const checkOf = (tenant: string, vendor = 'aws_rekognition') =>
  ({ tenant, vendor, account: { settings: {}, sealedCredentials: null } }) as unknown as FaceCheckRecord

/** What the desk says to so many questions in a row. */
const pausesOf = async (desk: VendorDesk, tenant: string, answer: Obstacle, times: number) => {
  const pauses: number[] = []
  for (let time = 0; time < times; time += 1) {
    const busy: unknown = await desk
      .ask('read a', checkOf(tenant), async () => answer)
      .catch((error: unknown) => error)
    if (!(busy instanceof RecipientBusy)) throw new TypeError('the desk did not ask to come again')
    pauses.push(busy.againInMs)
  }
  return pauses
}

/** How many of so many calls are under way at once. */
const begunOf = (desk: VendorDesk, tenant: string, calls = 20): number => {
  let begun = 0
  for (let call = 0; call < calls; call += 1) desk.lanes.of(tenant).enter(() => (begun += 1))
  return begun
}

describe('the vendor of an organisation', () => {
  it('that does not answer is tried by one call at a time, and no other organisation waits for it', async () => {
    const desk = openDesk()
    expect(await pausesOf(desk, 'ten_00aaaaaaaa', away, 4)).toEqual([1_000, 2_000, 4_000, 8_000])
    expect(begunOf(desk, 'ten_00aaaaaaaa')).toBe(1)
    expect(begunOf(desk, 'ten_00bbbbbbbb')).toBe(16)
  })

  it('that answers again has its whole lane', async () => {
    const desk = openDesk()
    await pausesOf(desk, 'ten_00aaaaaaaa', away, 8)
    expect(await desk.ask('read a', checkOf('ten_00aaaaaaaa'), async () => answered)).toBe(answered)
    expect(begunOf(desk, 'ten_00aaaaaaaa')).toBe(16)
    expect(await pausesOf(desk, 'ten_00aaaaaaaa', away, 1)).toEqual([1_000])
  })

  it('that has nothing of a session yet is asked less and less often, and most of all before its end', async () => {
    const desk = openDesk()
    const askedWith = async (leftMs: number): Promise<number> => {
      await desk.ask('read a', checkOf('ten_00aaaaaaaa'), async () => ({ kind: 'not-yet' }) as const)
      return desk.notYet('read a', leftMs).againInMs
    }
    const pauses: number[] = []
    for (const leftMs of [179_000, 178_000, 176_000, 172_000, 164_000, 19_000, 1_500])
      pauses.push(await askedWith(leftMs))
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 8_000, 1_000, 1_000])
    expect(begunOf(desk, 'ten_00aaaaaaaa')).toBe(16)
  })

  it('that refuses has answered; only its own checks wait until somebody can have mended the account', async () => {
    const desk = openDesk()
    expect(await pausesOf(desk, 'ten_00aaaaaaaa', refused, 7)).toEqual([
      30_000, 30_000, 30_000, 30_000, 30_000, 32_000, 60_000,
    ])
    expect(begunOf(desk, 'ten_00aaaaaaaa')).toBe(16)
  })

  it('that this installation does not have is asked for again in a minute', async () => {
    const asked = openDesk().ask('read a', checkOf('ten_00aaaaaaaa', 'sandbox'), async () => answered)
    await expect(asked).rejects.toMatchObject({ againInMs: 60_000 })
  })
})
