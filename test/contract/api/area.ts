import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Through } from '../../compose/service-on-memory.ts'
import { schemaEdges } from './edges.ts'
import { askedOf, mechanismCases } from './mechanism.ts'
import {
  type Case,
  checker,
  type DescribedRoute,
  describedRoutes,
  type Sample,
  type Samples,
} from './table.ts'
import { contractWorld, type World } from './world.ts'

export type Area = { readonly samples: Samples; readonly cases: readonly Case[] }

const keyOf = ({ route, shows }: Case): string => `${route} ${shows}`

/** What an area says of a route itself, and what follows from the route's description. */
export const casesOf = (route: DescribedRoute, { samples, cases }: Area): readonly Case[] => {
  const sample = samples[route.name]
  if (sample === undefined) return []
  const own = cases.filter((each) => each.route === route.name)
  const known = new Set(own.map(keyOf))
  const general = mechanismCases(route, sample).filter((each) => !known.has(keyOf(each)))
  return [...own, ...general, ...schemaEdges(route, sample)]
}

/** Every case of an area's routes, over HTTP. */
export const contractArea = (name: string, area: Area, through?: Through): void => {
  describe(`the contract of ${name}`, () => {
    let at: World
    let routes: readonly DescribedRoute[] = []
    let check: Awaited<ReturnType<typeof checker>>
    beforeAll(async () => {
      at = await contractWorld(through)
      routes = await describedRoutes(at)
      check = await checker(at)
    })
    afterAll(() => at.close())

    it.each(Object.keys(area.samples))('%s', async (routeName) => {
      const route = routes.find((each) => each.name === routeName)
      if (route === undefined) throw new Error(`${routeName} is not described`)
      const failures: string[] = []
      for (const each of casesOf(route, area)) {
        try {
          check(route, each, await each.run(at))
        } catch (error) {
          failures.push(`${each.shows}: ${error instanceof Error ? error.message : String(error)}`)
        }
      }
      expect(failures.join('\n\n')).toBe('')
    })

    it('holds for what succeeds on uWebSockets.js as on node:http', async () => {
      const port = await at.serveOnUws()
      const sampled = routes.filter(({ name: of }) => of in area.samples)
      expect(sampled).toHaveLength(Object.keys(area.samples).length)
      for (const route of sampled) {
        const run = async () => {
          const asked = askedOf(route, await (area.samples[route.name] as Sample)(at))
          return at.ask(route.method, asked, port)
        }
        check(route, { route: route.name, shows: 'success', run }, await run())
      }
    })
  })
}
