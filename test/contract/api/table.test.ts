import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Area, casesOf } from './area.ts'
import { accountCases, accountSamples } from './areas/accounts.ts'
import { clusterCases, clusterSamples } from './areas/cluster.ts'
import { eventCases, eventSamples } from './areas/events.ts'
import { exchangeCases, exchangeSamples } from './areas/exchanges.ts'
import { offersCases, offersSamples } from './areas/offers.ts'
import { operatorCases, operatorSamples } from './areas/operators.ts'
import { peopleCases, peopleSamples } from './areas/people.ts'
import { publishingCases, publishingSamples } from './areas/publishing.ts'
import { setupCases, setupSamples } from './areas/setup.ts'
import { walletCases, walletSamples } from './areas/wallets.ts'
import { type DescribedRoute, describedRoutes } from './table.ts'
import { memoryPlace } from './memory-place.ts'
import { type World, worldOn } from './world.ts'

const areas: readonly Area[] = [
  { samples: accountSamples, cases: accountCases },
  { samples: clusterSamples, cases: clusterCases },
  { samples: eventSamples, cases: eventCases },
  { samples: exchangeSamples, cases: exchangeCases },
  { samples: offersSamples, cases: offersCases },
  { samples: operatorSamples, cases: operatorCases },
  { samples: peopleSamples, cases: peopleCases },
  { samples: publishingSamples, cases: publishingCases },
  { samples: setupSamples, cases: setupCases },
  { samples: walletSamples, cases: walletCases },
]

describe('the table of routes and what they answer', () => {
  let at: World
  let routes: readonly DescribedRoute[] = []
  beforeAll(async () => {
    at = await worldOn(await memoryPlace())
    routes = await describedRoutes(at)
  })
  afterAll(() => at.close())

  it('has a case for every route and every code that its description names', () => {
    const missing = routes.flatMap((route) => {
      const shown = new Set(areas.flatMap((area) => casesOf(route, area)).map(({ shows }) => shows))
      return ['success' as const, ...route.codes]
        .filter((code) => !shown.has(code))
        .map((code) => `${route.name} ${code}`)
    })
    expect(missing).toEqual([])
    expect(routes.length).toBeGreaterThan(60)
  })

  it('names no route that is not there', () => {
    const names = new Set(routes.map(({ name }) => name))
    const named = areas.flatMap(({ samples, cases }) => [
      ...Object.keys(samples),
      ...cases.map(({ route }) => route),
    ])
    expect(named.filter((name) => !names.has(name as DescribedRoute['name']))).toEqual([])
  })
})
