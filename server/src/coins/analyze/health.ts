/** Scores how well the coins of an address can be spent, from 0 to 100, and names what lowers the score. */
import { type AddressFacts, balanceOf } from './facts.ts'
import {
  counted,
  FRAGMENTED_AT,
  type Grade,
  gradeOf,
  HEALTH,
  type HealthCode,
  percent,
  REUSED_AT,
  walletReuse,
} from './score-table.ts'

export type Health = { readonly score: number; readonly grade: Grade; readonly issues: string[] }

type HealthFacts = Pick<AddressFacts, 'utxos' | 'history' | 'inputVsize' | 'tiers' | 'wallet'>

/** How much one factor lowers the score, from 0 to 1. */
type Finding = { readonly part: number; readonly text: string }

const within = (value: number): number => Math.min(1, Math.max(0, value))

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
  const text = `${count} of ${counted(utxos.length, 'output')} cost more to spend than their value at ${tiers.medium} sat/vB.`
  return { part: count / utxos.length, text }
}

function sweepLoss({ utxos, inputVsize, tiers }: HealthFacts): Finding {
  const balance = balanceOf(utxos)
  const left = utxos.reduce((sum, { value }) => sum + Math.max(0, value - inputVsize * tiers.high), 0)
  const part = balance === 0 ? 1 : 1 - left / balance
  return { part, text: `Spending everything at ${tiers.high} sat/vB costs ${percent(part)} of the balance.` }
}

function fragmentation(count: number): Finding {
  const part = within(Math.log10(count) / Math.log10(FRAGMENTED_AT))
  return { part, text: `The balance is split into ${counted(count, 'output')}, and spending each one costs a fee.` }
}

function reuse({ history, wallet }: HealthFacts): Finding {
  const receipts = wallet?.mostReceipts ?? history.filter(({ isReceipt }) => isReceipt).length
  const part = within((receipts - 1) / (REUSED_AT - 1))
  if (wallet !== undefined) return { part, text: `${walletReuse(wallet)} Use a new address for each payment.` }
  return { part, text: `${counted(receipts, 'transaction')} paid to this address. Use a new address for each payment.` }
}

/** The Herfindahl index of the coins: 1 if one coin holds the whole balance. */
function concentration({ utxos }: HealthFacts): Finding {
  const balance = balanceOf(utxos)
  if (utxos.length === 1 || balance === 0) return { part: 0.5, text: 'A single output holds the balance.' }
  const index = utxos.reduce((sum, { value }) => sum + (value / balance) ** 2, 0)
  const most = utxos.reduce((largest, { value }) => Math.max(largest, value), 0)
  const text = `One output holds ${percent(most / balance)} of the balance. Spending it shows this amount to the recipient.`
  return { part: within((index - 0.5) * 2), text }
}

function unsettled({ utxos }: HealthFacts): Finding {
  const balance = balanceOf(utxos)
  const unsettledBalance = balanceOf(utxos.filter(({ isSettled }) => !isSettled))
  const part = balance === 0 ? 0 : unsettledBalance / balance
  return { part, text: `${percent(part)} of the balance is unconfirmed or immature.` }
}
