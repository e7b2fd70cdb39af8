import { defineConfig } from 'vitest/config'

// The suites that need engines, several processes or real wallets; and what starts whole programs to look at them.
const slowFolders = ['contract', 'integration', 'cluster', 'e2e', 'bootstrap', 'deploy', 'infra'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
)

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
    projects: [
      { extends: true, test: { name: 'tidy', include: ['test/tidy.test.ts'], testTimeout: 30_000 } },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts', 'sdk/**/*.test.ts', 'client/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'test/tidy.test.ts', ...slowFolders],
          testTimeout: 20_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: slowFolders,
          globalSetup: 'test/engines/setup.ts',
          testTimeout: 120_000,
          // The first suite that asks for an engine waits for its download too.
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
