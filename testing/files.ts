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

/** What a file needs: nothing (`unit`), PostgreSQL (`int`), a node (`chain`) or a browser (`e2e`). */
const kindOf = (file: string): string => /\.(int|chain|e2e)\.test\.ts$/.exec(file)?.[1] ?? 'unit'

export const isUnit = (file: string): boolean => kindOf(file) === 'unit'

/** The files of one process that need a database or a node. A process of many would run alone at the end. */
const PER_PROCESS = 8

/**
 * The files that one process runs one after the other, because loading the same modules again takes most of the time of a
 * short file. Unit tests share as many processes as run at once; of those with a database or a node, neighbors share one,
 * because they load the same modules. The longest files, and those with a browser, have a process of their own.
 */
export function sharedFiles(files: readonly string[], processes: number): readonly (readonly string[])[] {
  const {
    unit = [],
    int = [],
    chain = [],
  } = Object.groupBy(
    files.filter((file) => !LONGEST.includes(file)),
    kindOf,
  )
  const units = Array.from({ length: processes }, (_, n) => unit.filter((__, at) => at % processes === n))
  return [...units, ...chunks(int), ...chunks(chain)].filter(({ length }) => length > 0)
}

const chunks = (files: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(files.length / PER_PROCESS) }, (_, n) =>
    files.slice(n * PER_PROCESS, (n + 1) * PER_PROCESS),
  )

/** Returns the longest files first, then the others as they are. */
export const ordered = (files: readonly string[]): readonly string[] => [
  ...LONGEST.filter((file) => files.includes(file)),
  ...files.filter((file) => !LONGEST.includes(file)),
]
