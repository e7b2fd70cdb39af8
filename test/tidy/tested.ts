import { posix } from 'node:path'
import { type Source, walk } from './source.ts'

const slowFolders = ['contract', 'integration', 'cluster', 'e2e']

/** Folders whose tests stand under another path than their own. */
const testedElsewhere: ReadonlyMap<string, string> = new Map([
  ['src/persistence/vault/cassandra', 'both key stores keep one contract: test/contract/vault'],
])

/**
 * Every folder of src with logic has tests: src/x/ ↔ test/x/, or below a slow suite. Which files they are is the
 * folder's own business, so that two files can become one without their tests having to follow.
 */
export function untested(
  sources: readonly Source[],
  elsewhere: ReadonlyMap<string, string> = testedElsewhere,
): string[] {
  const tested = new Set(
    sources
      .map(({ path }) => path)
      .filter((path) => path.endsWith('.test.ts'))
      .map((path) => posix.dirname(path)),
  )
  const folders = new Set(
    sources
      .filter(({ path }) => path.startsWith('src/') && !path.endsWith('.d.ts'))
      .filter(hasLogic)
      .map(({ path }) => posix.dirname(path)),
  )
  return [...folders]
    .filter((folder) => !elsewhere.has(folder) && !testFoldersOf(folder).some((test) => tested.has(test)))
    .map((folder) => `${folder}/ has logic and no test: write one in ${testFolderOf(folder)}/.`)
}

function testFoldersOf(folder: string): string[] {
  const test = testFolderOf(folder)
  return [test, ...slowFolders.map((slow) => test.replace(/^test\b/, `test/${slow}`))]
}

function testFolderOf(folder: string): string {
  return folder.replace(/^src\b/, 'test')
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
