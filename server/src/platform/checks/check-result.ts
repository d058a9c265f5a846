/** The result of one check of `gatewatch doctor`. */

export type CheckResult = {
  /** What was checked: `ethereum node.example.org`. */
  readonly about: string
  readonly status: 'ok' | 'warning' | 'failed'
  /** What the check saw, as a sentence. */
  readonly seen: string
  /** What the operator can do; missing if the status is `ok`. */
  readonly advice?: string
}

export const passed = (about: string, seen: string): CheckResult => ({ about, status: 'ok', seen })
export const warning = (about: string, seen: string, advice: string): CheckResult => ({
  about,
  status: 'warning',
  seen,
  advice,
})
export const failed = (about: string, seen: string, advice: string): CheckResult => ({
  about,
  status: 'failed',
  seen,
  advice,
})
