import { isTest } from './shape.ts'
import { type Source, walk } from './source.ts'

const slowFolders = ['contract', 'integration', 'cluster', 'e2e']

const pool = 'the pool is tested as a whole beside the ledger it serves, in processes and over real sockets'
const keys = 'both key stores keep one contract, and its suite stands where both are run through it'

type Elsewhere = { readonly test: string; readonly because: string }

/** What is tested under another path than its own. */
const testedElsewhere: ReadonlyMap<string, Elsewhere> = new Map([
  [
    'src/compose/events.ts',
    {
      test: 'test/integration/events/events.test.ts',
      because: 'it joins parts, which only a running stream shows',
    },
  ],
  [
    'src/compose/service.ts',
    { test: 'test/e2e/service.test.ts', because: 'it is the whole service, and is asked as one' },
  ],
  [
    'src/ledger/sandbox/node-socket.ts',
    { test: 'test/integration/ledger/node-socket.test.ts', because: pool },
  ],
  [
    'src/ledger/sandbox/pool-process.ts',
    { test: 'test/integration/ledger/pool-process.test.ts', because: pool },
  ],
  ['src/ledger/sandbox/pool.ts', { test: 'test/integration/ledger/pool.test.ts', because: pool }],
  [
    'src/persistence/vault/cassandra/cassandra-key-store.ts',
    { test: 'test/contract/vault/cassandra-key-store.test.ts', because: keys },
  ],
  [
    'src/persistence/vault/sqlite/sqlite-key-store.ts',
    { test: 'test/contract/vault/sqlite-key-store.test.ts', because: keys },
  ],
])

/** Every file in src with logic has its test: `src/x/y.ts` ↔ `test/x/y.test.ts`, below a slow suite, or listed above. */
export function untested(
  sources: readonly Source[],
  elsewhere: ReadonlyMap<string, Elsewhere> = testedElsewhere,
): string[] {
  const tests = new Set(sources.map(({ path }) => path).filter(isTest))
  const files = sources.filter(
    (source) => source.path.startsWith('src/') && !source.path.endsWith('.d.ts') && hasLogic(source),
  )
  return files
    .filter(
      ({ path }) => ![...testsOf(path), elsewhere.get(path)?.test ?? ''].some((test) => tests.has(test)),
    )
    .map(({ path }) => `${path} has logic and no test: write ${testOf(path)}.`)
}

/** A listed test whose file is gone, or that stands in its own place by now. */
export function needlessEntries(
  sources: readonly Source[],
  elsewhere: ReadonlyMap<string, Elsewhere> = testedElsewhere,
): string[] {
  const paths = new Set(sources.map(({ path }) => path))
  return [...elsewhere.keys()]
    .filter((path) => !paths.has(path) || testsOf(path).some((test) => paths.has(test)))
    .map((path) => `${path} is gone or has its test in its place: take its entry out of test/tidy/tested.ts.`)
}

function testsOf(path: string): string[] {
  const test = testOf(path)
  return [test, ...slowFolders.map((folder) => test.replace(/^test\//, `test/${folder}/`))]
}

function testOf(path: string): string {
  return path.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts')
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
