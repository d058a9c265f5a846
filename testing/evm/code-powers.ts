/** The powers that the code of a contract of `testing/contracts` gives, in short texts. */
import { followCode } from '../../server/src/control/code/dataflow.ts'
import { powersOfCode } from '../../server/src/control/powers/code-powers.ts'
import { selectorOf } from '../../server/src/control/powers/names.ts'
import { type Hex, toBytes } from '../../server/src/lib/hex.ts'
import { deployedCode } from './compile.ts'

const NO_IMMUTABLE = `7f${'0'.repeat(64)}`

/**
 * `effect:` with `open`, the guards, why others are not known, and fixed recipients, of the powers that a function gives.
 * `immutable`: the value of all immutables; 0 if it is missing.
 */
export function powersIn(contract: string, signature: string, immutable = 0n): readonly string[] {
  const pushed = `7f${immutable.toString(16).padStart(64, '0')}`
  const { powers } = powersOfCode(followCode(toBytes(deployedCode(contract).replaceAll(NO_IMMUTABLE, pushed) as Hex)))
  const selector = signature === 'fallback' ? '0x00000000' : selectorOf(signature)
  return powers
    .filter((power) => power.selector === selector)
    .map(({ effect, guards, recipients = [], isTaken, unknown }) => {
      const who = isTaken === true ? ['open'] : guards.map(({ type }) => type)
      const to = recipients.map(({ type }) => ` to ${type}`).join('')
      return `${effect}:${[...who, ...(unknown === undefined ? [] : [unknown])].join('+')}${to}`
    })
}
