import { defineConfig } from 'vitest/config';

/** Packages resolve to their sources in tests; processes that tests start run the compiled code. */
const source = { conditions: ['@switchyard/source'] };
const slow = { testTimeout: 120_000, hookTimeout: 60_000, pool: 'forks' as const };

export default defineConfig({
  resolve: source,
  ssr: { resolve: source },
  test: {
    projects: [
      { extends: true, test: { name: 'unit', include: ['{libs,apps}/*/src/**/*.test.ts'], testTimeout: 20_000 } },
      { extends: true, test: { name: 'service', include: ['{libs,apps}/*/test/**/*.test.ts'], ...slow } },
      { extends: true, test: { name: 'repo', include: ['test/*.test.ts'], testTimeout: 60_000 } },
      {
        extends: true,
        // One whole yard at a time: the scenarios measure and kill processes, and two cores are few.
        test: { name: 'yard', include: ['test/yard/**/*.test.ts'], ...slow, fileParallelism: false },
      },
    ],
  },
});
