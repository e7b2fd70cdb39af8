import { defineConfig } from 'vitest/config'
import { against } from './test/e2e/against.ts'
import { ownService } from './test/e2e/own-service.ts'
import { LaneOrder } from './tools/gate/lane-order.ts'

// The suites that need engines, several processes or real wallets; what starts whole programs to look at them; and
// single files that stand beside their fellows but cost real seconds: processes, key generation, thousands of commits.
const slowFolders = [
  'contract/http',
  'contract/journal',
  'contract/stream',
  'contract/vault',
  'integration',
  'cluster',
  'e2e',
  'bootstrap',
  'deploy',
  'infra',
].map((folder) => `test/${folder}/**/*.test.ts`)
const slowFiles = [
  'test/actors/credential-offer-job/crashes.test.ts',
  'test/anoncreds/anoncreds.test.ts',
  'test/anoncreds/crypto-pool.test.ts',
  'test/anoncreds/definition-generator.test.ts',
  'test/anoncreds/definition-process.test.ts',
  'test/anoncreds/library-engine.test.ts',
  'test/anoncreds/native-engine.test.ts',
  'test/bench/cluster.test.ts',
  'test/bench/run.test.ts',
  'test/cli/doctor.test.ts',
  'test/cli/serve.test.ts',
  'test/compose/accept-older-keys.test.ts',
  'test/compose/lists.test.ts',
  'test/compose/parked.test.ts',
  'test/compose/signatures.test.ts',
  'test/contract/api/across-nodes.test.ts',
  'test/didcomm/inbound-noise.test.ts',
  'test/docs/publishing.test.ts',
  'test/docs/walk.test.ts',
  'test/egress/pools.test.ts',
  'test/ledger/sandbox/separate-pool.test.ts',
  'test/open-parts.test.ts',
  'test/persistence/sqlite/flushing.test.ts',
  'test/persistence/sqlite/folder-lock.test.ts',
  'test/persistence/sqlite/journal-file.test.ts',
  'test/persistence/sqlite/database-thread.test.ts',
  'test/persistence/vault/sqlite/key-file-server.test.ts',
  'test/persistence/vault/sqlite/key-table.test.ts',
  'test/tools/gate/run-program.test.ts',
  'test/tools/harness/module-process.test.ts',
  'test/tools/harness/restarting.test.ts',
  'test/tools/simulate/asks.test.ts',
  'test/tools/simulate/leased-copies.test.ts',
  'test/tools/simulate/lists.test.ts',
  'test/tools/simulate/schedule.test.ts',
  'test/tools/vendors/main.test.ts',
]
const slow = [...slowFolders, ...slowFiles]
/** Against a cluster that is there, the suite is the files which can be shown on one. */
const suite =
  against === null
    ? { include: slow }
    : {
        // Browsers and their cookies stay at one address.
        include: [
          'test/e2e/**/*.test.ts',
          ...(against === 'proxy' ? ['test/integration/console/*.test.ts'] : []),
        ],
        exclude: Object.keys(ownService).map((file) => `test/e2e/${file}`),
      }

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LaneOrder },
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
    // Limits are for what never comes. A busy machine takes its time, and no test tells how fast something is.
    expect: { poll: { timeout: 60_000, interval: 20 } },
    projects: [
      { extends: true, test: { name: 'tidy', include: ['test/tidy.test.ts'], testTimeout: 120_000 } },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts', 'sdk/**/*.test.ts', 'client/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'test/tidy.test.ts', ...slow],
          // Loading the modules anew for each of some hundred files costs three times what the tests do.
          isolate: false,
          setupFiles: 'test/remove-folders.ts',
          testTimeout: 90_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          ...suite,
          globalSetup: 'test/engines/setup.ts',
          // Node loads the sources itself, as it does in production, and remembers what it has compiled; the runner of Vite would
          // compile all of them again in each of some hundred processes.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          setupFiles: ['test/remove-folders.ts', 'test/engines/stuck-watch.ts'],
          testTimeout: 240_000,
          // The first suite that asks for an engine waits for its download too.
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
