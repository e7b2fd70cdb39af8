import { worldWithAgreement } from '../../../test/integration/console/parts/agreement-world.ts'
import { worldWithParked } from '../../../test/integration/console/parts/parked-world.ts'
import { takeCluster } from './cluster-pictures.ts'
import type { Extra } from './shown-pages.ts'
import { enrolledOperator, goTo, type Sight } from './tour.ts'

const LIMIT_MS = 60_000
const PARKED = 'con_2f8b1d3f5h7j9k0m2n4p6q8r0s'
const AGREEMENT = `TRANSACTION AUTHOR AGREEMENT

Whoever writes to this ledger declares that what is written holds nothing that identifies a person, that it may be read by
everybody, and that it cannot be taken away again.`

const takeAgreement = async (sights: readonly Sight[]): Promise<void> => {
  const { world, stop } = await worldWithAgreement(AGREEMENT)
  try {
    const operator = await enrolledOperator(world)
    for (const { camera, options } of sights) {
      const { page } = await world.open({ ...options, storageState: operator.state })
      await goTo(page, `${world.url}/console/agreement`)
      await page.getByRole('button', { name: 'Accept the agreement' }).waitFor({ timeout: LIMIT_MS })
      await camera.take(page, 'agreement-open')
      await page.context().close()
    }
  } finally {
    await stop()
  }
}

const takeParked = async (sights: readonly Sight[]): Promise<void> => {
  const { world, stop } = await worldWithParked(PARKED)
  try {
    const operator = await enrolledOperator(world)
    for (const { camera, options } of sights) {
      const { page } = await world.open({ ...options, storageState: operator.state })
      await goTo(page, `${world.url}/console/parked`)
      const retry = page.getByRole('row').filter({ hasText: PARKED }).getByRole('button')
      await retry.first().waitFor({ timeout: LIMIT_MS })
      await camera.take(page, 'parked-record')
      await retry.first().click()
      await page.getByText('cannot be read still').waitFor({ timeout: LIMIT_MS })
      await camera.take(page, 'parked-retried')
      await page.context().close()
    }
  } finally {
    await stop()
  }
}

/** What only another service than that of the tour can show. */
export const takeExtra: Readonly<Record<Extra, (sights: readonly Sight[]) => Promise<void>>> = {
  agreement: takeAgreement,
  parked: takeParked,
  cluster: takeCluster,
}
