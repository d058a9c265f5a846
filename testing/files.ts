/** The order of test files in a run. */

/** The files that take longest. They start first, so that none of them runs alone at the end. */
export const LONGEST: readonly string[] = [
  'testing/service/process.int.test.ts',
  'web/test/account.e2e.test.ts',
  'web/test/coins.e2e.test.ts',
  'web/test/control.e2e.test.ts',
  'server/src/control/poll/poll-contract.chain.test.ts',
  'web/test/feed.e2e.test.ts',
  'testing/adversary/sample.chain.test.ts',
  'testing/service/demo.chain.test.ts',
  'testing/sim/watch.sim.test.ts',
  'web/test/demo.e2e.test.ts',
  'server/src/coins/subscriptions/killed-process.chain.test.ts',
  'testing/service/limits.int.test.ts',
  'testing/sim/alerts.sim.int.test.ts',
  'server/src/coins/index/random-chains.test.ts',
  'server/src/control/profile/oracle.test.ts',
  'bench/event-chain.chain.test.ts',
  'testing/service/backup.int.test.ts',
  'testing/sim/safe-queue.sim.int.test.ts',
  'testing/hostile/hostile-http.int.test.ts',
  'server/src/coins/serve/recovery.test.ts',
  'server/src/coins/http/spend-routes.test.ts',
  'demo/contracts/artifacts.test.ts',
]

export const isUnit = (file: string): boolean => /(?<!\.(int|chain|e2e))\.test\.ts$/.test(file)

/**
 * The files that one process runs one after the other: unit tests share a few processes, because loading the same modules
 * again takes most of their time. The longest ones, and tests of other kinds, have a process of their own.
 */
export function sharedFiles(files: readonly string[], processes: number): readonly (readonly string[])[] {
  const shared = files.filter((file) => isUnit(file) && !LONGEST.includes(file))
  const groups = Array.from({ length: processes }, (_, n) => shared.filter((__, at) => at % processes === n))
  return groups.filter((group) => group.length > 0)
}

/** Returns the longest files first, then the others as they are. */
export const ordered = (files: readonly string[]): readonly string[] => [
  ...LONGEST.filter((file) => files.includes(file)),
  ...files.filter((file) => !LONGEST.includes(file)),
]
