import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { looks } from '../../../tools/console/pictures/looks.ts'
import {
  memberPages,
  operatorPages,
  pictureNames,
  recordPages,
} from '../../../tools/console/pictures/shown-pages.ts'

const file = (path: string): URL => new URL(`../../../${path}`, import.meta.url)
const addresses = [
  ...readFileSync(file('console/src/pages.ts'), 'utf8').matchAll(/^ {2}\['\/console\/([\w/:-]+)'/gm),
].map(([, address = '']) => address)

describe('the pictures of the console', () => {
  it('show every page that has an address', () => {
    expect(addresses.length).toBeGreaterThan(35)
    const lists = [...memberPages, ...operatorPages].map(([, address]) => address)
    const records = Object.keys(recordPages).map((list) => `${list}/:id`)
    expect(addresses.toSorted()).toEqual([...lists, ...records].toSorted())
  })

  it.each(Object.keys(looks))('are there for each page, and for nothing else: %s', (look) => {
    const kept = readdirSync(file(`docs/console/${look}/`)).map((name) => name.replace('.webp', ''))
    expect(kept.toSorted(), 'run `npm run console:pictures`').toEqual(pictureNames.toSorted())
  })
})
