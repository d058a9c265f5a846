/** A reporter of node:test that prints the files that took longest, and the time of all. */
import type { TestEvent } from 'node:test/reporters'

const SHOWN = 15

// oxlint-disable-next-line import/no-default-export -- node:test loads the default export of a reporter
export default async function* slowestFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const seconds = new Map<string, number>()
  for await (const { type, data } of events)
    if (type === 'test:summary' && data.file !== undefined) seconds.set(data.file, data.duration_ms / 1_000)
  const slowest = [...seconds].sort(([, a], [, b]) => b - a).slice(0, SHOWN)
  const all = seconds.values().reduce((sum, each) => sum + each, 0)
  yield `\nslowest of ${seconds.size} files, which took ${all.toFixed(0)} s together:\n`
  for (const [file, each] of slowest)
    yield `${each.toFixed(1).padStart(8)} s  ${file.replace(`${process.cwd()}/`, '')}\n`
}
