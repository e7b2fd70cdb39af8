import type { Random } from '../../simulate/random.ts'
import { type Scene, scenes } from '../../vendors/people/camera.ts'

export type Vendor = 'aws_rekognition' | 'azure_face'

/** How many attempts the policy gives at each. */
export const ATTEMPTS_MAX: Readonly<Record<Vendor, number>> = { aws_rekognition: 2, azure_face: 3 }

/** What is to become of one check. */
export type Plan = {
  readonly number: number
  readonly phone: number
  readonly kind: 'credential' | 'proof'
  readonly vendor: Vendor
  readonly ends: 'passed' | 'failed' | 'cancelled'
  /** What is before the camera, attempt after attempt. */
  readonly scenes: readonly Scene[]
}

const PROOFS = 0.3
const CANCELLED = 0.1
const FAILED = 0.25
const WRONG: readonly Scene[] = [scenes.stranger, scenes.spoof, scenes.uncertain]

/** The first check of a phone is passed at once, so that it has something to prove; the vendor changes in the middle. */
export const plansOf = (
  random: Random,
  { checks, phones }: { readonly checks: number; readonly phones: number },
): readonly Plan[] =>
  Array.from({ length: checks }, (_, index): Plan => {
    const number = index + 1
    const phone = index % phones
    const vendor = index < checks / 2 ? 'aws_rekognition' : 'azure_face'
    if (index < phones)
      return { number, phone, kind: 'credential', vendor, ends: 'passed', scenes: [scenes.holder] }
    const kind = random.chance(PROOFS) ? 'proof' : 'credential'
    const ends = random.chance(CANCELLED) ? 'cancelled' : random.chance(FAILED) ? 'failed' : 'passed'
    return { number, phone, kind, vendor, ends, scenes: scenesOf(random, ends, ATTEMPTS_MAX[vendor]) }
  })

const scenesOf = (random: Random, ends: Plan['ends'], attemptsMax: number): readonly Scene[] => {
  const wrong = (count: number): Scene[] => Array.from({ length: count }, () => random.pick(WRONG))
  if (ends === 'failed') return wrong(attemptsMax)
  const before = wrong(random.below(attemptsMax))
  return ends === 'passed' ? [...before, scenes.holder] : before
}
