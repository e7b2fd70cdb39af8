import { describe, expect, it } from 'vitest'
import { type Area, shownOn } from '../../contract/api/area.ts'
import { against } from '../against.ts'
import { wirePlace } from './wire-place.ts'

/** Every case takes some minutes, and is shown in memory as well; so a service of the test's own shows what succeeds. */
const isBrief = against === null || process.env['E2E_BRIEF'] === 'true'

/** Routes whose success takes a fault, a map of the case alone, another ledger, or the vendors of `face-checks.test.ts`. */
const OUT_OF_REACH = [
  / \/v1\/operator\/parked\/\{id\}\/retry$/,
  / \/v1\/operator\/ledger-agreement\/accept$/,
  /^(?:PUT|POST) \/v1\/biometric(?:\/test)?$/,
]

/** The contract of an area's routes on the service as it runs: real people, keys, wallets, ledger and clock. */
export const shownRoutes = (name: string, area: Area): void => {
  describe(`the contract of ${name} on the whole service`, () => {
    const { shown } = shownOn(wirePlace, area, ({ shows }) => !isBrief || shows === 'success')

    it.each(Object.keys(area.samples))(
      '%s',
      async (routeName) => {
        const { failures, cases } = await shown(routeName)
        expect(failures).toBe('')
        if (!OUT_OF_REACH.some((pattern) => pattern.test(routeName))) expect(cases).toBeGreaterThan(0)
      },
      900_000,
    )
  })
}
