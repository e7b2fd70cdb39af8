import { isTest } from './shape.ts'
import { type Source, walk } from './source.ts'

const slowFolders = ['contract', 'integration', 'cluster', 'e2e']

/** Every file in src with logic has its test: `src/x/y.ts` ↔ `test/x/y.test.ts`, or `y.test.ts` in a slow suite. */
export function untested(sources: readonly Source[]): string[] {
  const tests = sources.filter((source) => isTest(source.path)).map((source) => source.path)
  const mirrored = new Set(tests)
  const inSlowSuite = new Set(
    tests.filter((path) => slowFolders.some((folder) => path.startsWith(`test/${folder}/`))).map(fileName),
  )
  return sources
    .filter((source) => source.path.startsWith('src/') && !source.path.endsWith('.d.ts') && hasLogic(source))
    .filter(({ path }) => {
      const test = testOf(path)
      return !mirrored.has(test) && !inSlowSuite.has(fileName(test))
    })
    .map(({ path }) => `${path} has logic and no test: write ${testOf(path)}.`)
}

function testOf(path: string): string {
  return path.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts')
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Types, constants, error classes and functions that hand back what they got need no test. */
export function hasLogic(source: Source): boolean {
  let logic = false
  walk(source, {
    FunctionDeclaration: ({ body }) => {
      if (body) logic = true
    },
    ArrowFunctionExpression: ({ body }) => {
      if (body.type !== 'Identifier') logic = true
    },
    MethodDefinition: ({ kind }) => {
      if (kind !== 'constructor') logic = true
    },
    Property: ({ value }) => {
      if (value.type === 'FunctionExpression') logic = true
    },
  })
  return logic
}
