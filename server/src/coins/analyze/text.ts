/** Numbers in the texts of the analysis. */

export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`

export const percent = (part: number): string => `${Math.round(part * 100)}%`
