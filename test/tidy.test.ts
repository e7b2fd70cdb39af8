import { describe, it } from 'vitest'
import { homeless, wrongImports } from './tidy/arrows.ts'
import { circles } from './tidy/circles.ts'
import { machinePaths, registryHosts } from './tidy/machine.ts'
import { impurities } from './tidy/purity.ts'
import { readRepository, root } from './tidy/repository.ts'
import { silencedTests, tooLong, unparsable, vagueName } from './tidy/shape.ts'
import { untested } from './tidy/tested.ts'

const { texts, sources, broken } = readRepository()

/** Fails with the sentences alone: where the test stands says nothing about where the fault is. */
function expectNone(objections: readonly string[]): void {
  if (objections.length === 0) return
  const error = new Error(`\n${objections.join('\n')}\n(${objections.length})`)
  error.stack = ''
  throw error
}

describe('the repository', () => {
  it('has sources that can be read', () => expectNone(broken))

  it('has a room for every source', () => expectNone(sources.flatMap(homeless)))

  it('has imports only along the arrows', () => expectNone(sources.flatMap(wrongImports)))

  it('has no files of the product that import each other in a circle, types included', () =>
    expectNone(
      circles(sources.filter(({ path }) => path.startsWith('src/'))).map(
        (group) =>
          `${group.join(' ')} import each other: move what both need into a file that knows neither.`,
      ),
    ))

  it('keeps clock, chance and the world outside where they belong', () =>
    expectNone(sources.flatMap(impurities)))

  it('has no file that is too long', () => expectNone(sources.flatMap(tooLong)))

  it('has names that say what is inside', () => expectNone(sources.flatMap(({ path }) => vagueName(path))))

  it('has tests for every folder with logic', () => expectNone(untested(sources)))

  it('has no silenced test', () => expectNone(sources.flatMap(silencedTests)))

  it('has only sources that Node can run as they are', () => expectNone(sources.flatMap(unparsable)))

  it('names no path of one machine', () =>
    expectNone([...texts].flatMap(([path, text]) => machinePaths(path, text, root))))

  it('names no registry host in a lock file', () =>
    expectNone([...texts].flatMap(([path, text]) => registryHosts(path, text))))
})
