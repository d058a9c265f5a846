/** How well the coins of an address can be spent, from 0 to 100, and what speaks against more. */
import { type AddressFacts, balanceOf } from './facts.ts'
import { FRAGMENTED_AT, type Grade, gradeOf, HEALTH, type HealthCode, REUSED_AT } from './score-table.ts'

export type Health = { readonly score: number; readonly grade: Grade; readonly issues: string[] }

type HealthFacts = Pick<AddressFacts, 'utxos' | 'history' | 'inputVsize' | 'tiers'>

/** Each factor from 0 (fine) to 1, with what it says. */
type Finding = { readonly part: number; readonly text: string }

const within = (value: number): number => Math.min(1, Math.max(0, value))
const percent = (part: number): string => `${Math.round(part * 100)} %`

export function scoreHealth(facts: HealthFacts): Health {
  const { utxos } = facts
  if (utxos.length === 0) return { score: 100, grade: gradeOf(100), issues: [] }
  const findings: Readonly<Record<HealthCode, Finding>> = {
    DUST_UTXOS: uneconomic(facts),
    SWEEP_LOSS: sweepLoss(facts),
    FRAGMENTED: fragmentation(utxos.length),
    ADDRESS_REUSE: reuse(facts),
    CONCENTRATED: concentration(facts),
    UNSETTLED: unsettled(facts),
  }
  const codes = Object.keys(findings) as HealthCode[]
  const lost = codes.reduce((sum, code) => sum + HEALTH[code].weight * findings[code].part, 0)
  const score = Math.round(100 * (1 - lost))
  const issues = codes.filter((code) => findings[code].part >= HEALTH[code].issueFrom)
  return { score, grade: gradeOf(score), issues: issues.map((code) => `${code}: ${findings[code].text}`) }
}

function uneconomic({ utxos, inputVsize, tiers }: HealthFacts): Finding {
  const count = utxos.filter(({ value }) => value <= inputVsize * tiers.medium).length
  const text = `${count} of ${utxos.length} outputs cost more to spend than they hold at ${tiers.medium} sat/vB`
  return { part: count / utxos.length, text }
}

function sweepLoss({ utxos, inputVsize, tiers }: HealthFacts): Finding {
  const balance = balanceOf(utxos)
  const left = utxos.reduce((sum, { value }) => sum + Math.max(0, value - inputVsize * tiers.high), 0)
  const part = balance === 0 ? 1 : 1 - left / balance
  return { part, text: `spending everything at ${tiers.high} sat/vB would cost ${percent(part)} of the balance` }
}

function fragmentation(count: number): Finding {
  const part = within(Math.log10(count) / Math.log10(FRAGMENTED_AT))
  return { part, text: `the balance lies in ${count} outputs; every one of them is an input to pay for` }
}

function reuse({ history }: HealthFacts): Finding {
  const receipts = history.filter(({ isReceipt }) => isReceipt).length
  const part = within((receipts - 1) / (REUSED_AT - 1))
  return { part, text: `${receipts} transactions paid to this address; use a new one for each` }
}

/** Herfindahl's index of the coins: 1 when one of them holds everything. */
function concentration({ utxos }: HealthFacts): Finding {
  const balance = balanceOf(utxos)
  if (utxos.length === 1 || balance === 0) return { part: 0.5, text: 'a single output holds the balance' }
  const index = utxos.reduce((sum, { value }) => sum + (value / balance) ** 2, 0)
  const most = utxos.reduce((largest, { value }) => Math.max(largest, value), 0)
  const text = `one output holds ${percent(most / balance)} of the balance; each payment shows it to the payee`
  return { part: within((index - 0.5) * 2), text }
}

function unsettled({ utxos }: HealthFacts): Finding {
  const balance = balanceOf(utxos)
  const waiting = balanceOf(utxos.filter(({ isSettled }) => !isSettled))
  const part = balance === 0 ? 0 : waiting / balance
  return { part, text: `${percent(part)} of the balance is unconfirmed or not mature yet` }
}
