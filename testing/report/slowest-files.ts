/** The files of a run that took longest, with their CPU times. */
import type { FileTimes } from './file-times.ts'

const SHOWN = 15

const column = (seconds: number): string => `${seconds.toFixed(1)} s`.padStart(10)

export function slowestFiles(times: readonly FileTimes[]): string {
  const [seconds, cpu] = times.reduce(([a, b], each) => [a + each.seconds, b + each.cpu], [0, 0])
  const slowest = times.toSorted((a, b) => b.seconds - a.seconds).slice(0, SHOWN)
  return [
    `\n${times.length} files took ${seconds.toFixed(0)} s together; without the database ${cpu.toFixed(0)} s of CPU.`,
    `The slowest (time, CPU time):`,
    ...slowest.map(({ file, ...each }) => [column(each.seconds), column(each.cpu), '  ', file].join('')),
  ].join('\n')
}
