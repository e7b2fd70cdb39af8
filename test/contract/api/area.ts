import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Through } from '../../compose/service-on-memory.ts'
import { schemaEdges } from './edges.ts'
import { askedOf, mechanismCases } from './mechanism.ts'
import { memoryPlace } from './memory-place.ts'
import { LeftOut, type OnlyInside, type Place } from './place.ts'
import {
  type Case,
  checker,
  type DescribedRoute,
  describedRoutes,
  type Sample,
  type Samples,
} from './table.ts'
import { type World, worldOn } from './world.ts'

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

type Shown = { readonly cases: number; readonly leftOut: readonly OnlyInside[]; readonly failures: string }

/** Shows cases one after the other; those that the place cannot have are left out, with the reason. */
const showCases = async (
  at: World,
  check: Awaited<ReturnType<typeof checker>>,
  route: DescribedRoute,
  cases: readonly Case[],
): Promise<Shown> => {
  const failures: string[] = []
  const leftOut: OnlyInside[] = []
  for (const each of cases) {
    try {
      check(route, each, await each.run(at))
    } catch (error) {
      if (error instanceof LeftOut) leftOut.push(error.why)
      else failures.push(`${each.shows}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { cases: cases.length - leftOut.length, leftOut, failures: failures.join('\n\n') }
}

/** Every case of an area's routes, over HTTP. */
export const contractArea = (name: string, area: Area, through?: Through): void => {
  describe(`the contract of ${name}`, () => {
    const { world, shown } = shownOn(() => memoryPlace(through), area)

    it.each(Object.keys(area.samples))('%s', async (routeName) => {
      const { leftOut, failures } = await shown(routeName)
      expect(failures).toBe('')
      expect(leftOut).toEqual([])
    })

    it('holds for what succeeds on uWebSockets.js as on node:http', async () => {
      const { at, routes, check } = world()
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

type Opened = {
  readonly at: World
  readonly routes: readonly DescribedRoute[]
  readonly check: Awaited<ReturnType<typeof checker>>
}

/** A world for the tests of a block, and the cases of each route on it; all of them, or those that are wanted. */
export const shownOn = (
  open: () => Promise<Place>,
  area: Area,
  wanted: (each: Case) => boolean = () => true,
) => {
  let opened: Opened | null = null
  const world = (): Opened => {
    if (opened === null) throw new Error('the world is not open')
    return opened
  }
  beforeAll(async () => {
    const at = await worldOn(await open())
    opened = { at, routes: await describedRoutes(at), check: await checker(at) }
  })
  afterAll(() => opened?.at.close())
  const shown = async (routeName: string): Promise<Shown> => {
    const { at, routes, check } = world()
    const route = routes.find((each) => each.name === routeName)
    if (route === undefined) throw new Error(`${routeName} is not described`)
    return showCases(at, check, route, casesOf(route, area).filter(wanted))
  }
  return { world, shown }
}
