/** Which test files run, and in which order. */

/** The files that take longest. They start first, so that none of them runs alone at the end. */
export const LONGEST: readonly string[] = [
  'testing/service/process.int.test.ts',
  'web/test/account.e2e.test.ts',
  'web/test/coins.e2e.test.ts',
  'web/test/control.e2e.test.ts',
  'server/src/control/poll/poll-contract.chain.test.ts',
  'web/test/feed.e2e.test.ts',
  'testing/adversary/sample.chain.test.ts',
  'testing/adversary/earlier.chain.test.ts',
  'testing/adversary/settings.chain.test.ts',
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

/** The files that only `npm test -- --all` runs: together they take as long as a third of the others. With the reason. */
export const LONG: Readonly<Record<string, string>> = {
  'client/other-languages.int.test.ts': 'installs the Go and Python clients as packages',
  'server/src/coins/subscriptions/killed-process.chain.test.ts': 'kills processes for a minute and a half',
  'testing/adversary/earlier.chain.test.ts': 'compiles and labels the attacks of earlier rounds',
  'testing/adversary/settings.chain.test.ts': 'compiles deceptive contracts with further settings of the compiler',
  'testing/exclusive/fresh-clone.int.test.ts': 'installs all packages again',
  'testing/service/demo.chain.test.ts': 'starts the demo again and again',
  'web/docs/webhooks.test.ts': 'builds the examples of the guide in other languages',
}

/** What a file needs: nothing (`unit`), PostgreSQL (`int`), a node (`chain`) or a browser (`e2e`). */
const kindOf = (file: string): string => /\.(int|chain|e2e)\.test\.ts$/.exec(file)?.[1] ?? 'unit'

export const isUnit = (file: string): boolean => kindOf(file) === 'unit'

/** The files of one process, by what they need. A process of many would run alone at the end. */
const PER_PROCESS = { e2e: 4, int: 12, chain: 12 } as const

/**
 * The files that one process runs one after the other, because loading the same modules again takes most of the time of a
 * short file. Unit tests share as many processes as run at once; of the others, neighbors of one kind share one, because
 * they load the same modules. The longest files have a process of their own.
 */
export function sharedFiles(files: readonly string[], processes: number): readonly (readonly string[])[] {
  const byKind = Object.groupBy(
    files.filter((file) => !LONGEST.includes(file)),
    kindOf,
  )
  const { unit = [] } = byKind
  const units = Array.from({ length: processes }, (_, n) => unit.filter((__, at) => at % processes === n))
  const others = Object.entries(PER_PROCESS).flatMap(([kind, count]) => chunks(byKind[kind] ?? [], count))
  return [...units, ...others].filter(({ length }) => length > 0)
}

const chunks = (files: readonly string[], count: number): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(files.length / count) }, (_, n) => files.slice(n * count, (n + 1) * count))

/** Returns the longest files first, then the others as they are. */
export const ordered = (files: readonly string[]): readonly string[] => [
  ...LONGEST.filter((file) => files.includes(file)),
  ...files.filter((file) => !LONGEST.includes(file)),
]
