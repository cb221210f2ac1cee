import { defineConfig } from 'vitest/config';

/** Packages resolve to their sources in tests; processes that tests start run the compiled code. */
const source = { conditions: ['@switchyard/source'] };
const slow = { testTimeout: 120_000, hookTimeout: 60_000, pool: 'forks' as const };
/** Tests wait for processes most of their time: two files at once are done in little more than half of it. */
const WORKERS = 2;

export default defineConfig({
  resolve: source,
  ssr: { resolve: source },
  test: {
    maxWorkers: WORKERS,
    projects: [
      { extends: true, test: { name: 'unit', include: ['{libs,apps}/*/src/**/*.test.ts'], testTimeout: 20_000 } },
      { extends: true, test: { name: 'service', include: ['{libs,apps}/*/test/**/*.test.ts'], ...slow } },
      { extends: true, test: { name: 'repo', include: ['test/*.test.ts'], testTimeout: 60_000 } },
      {
        extends: true,
        // One whole yard at a time, and nothing beside it: the scenarios measure and kill processes.
        test: {
          name: 'yard',
          include: ['test/yard/**/*.test.ts'],
          ...slow,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        // Whole yards as well, and containers around them: after all others, one at a time.
        test: {
          name: 'containers',
          include: ['test/containers/**/*.test.ts'],
          globalSetup: 'test/containers/support/global-setup.ts',
          ...slow,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
