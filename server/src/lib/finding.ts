/** What a check of the surroundings found: something works, works with a caveat, or does not. */

export type Finding = {
  /** What was looked at: `ethereum node.example.org`. */
  readonly about: string
  readonly verdict: 'good' | 'doubtful' | 'bad'
  /** What was seen, as a sentence. */
  readonly seen: string
  /** What to do about it; nothing where it is good. */
  readonly advice?: string
}

export const good = (about: string, seen: string): Finding => ({ about, verdict: 'good', seen })
export const doubtful = (about: string, seen: string, advice: string): Finding => ({
  about,
  verdict: 'doubtful',
  seen,
  advice,
})
export const bad = (about: string, seen: string, advice: string): Finding => ({ about, verdict: 'bad', seen, advice })
