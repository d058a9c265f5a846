/** The powers that the code of a contract of `testing/contracts` gives, in short texts. */
import { followCode } from '../../server/src/control/code/dataflow.ts'
import { powersOfCode } from '../../server/src/control/powers/code-powers.ts'
import { selectorOf } from '../../server/src/control/powers/names.ts'
import { toBytes } from '../../server/src/lib/hex.ts'
import { deployedCode } from './compile.ts'

/** `effect:` with `open`, the guards, and why others are not known, of the powers that a function gives. */
export function powersIn(contract: string, signature: string): readonly string[] {
  const { powers } = powersOfCode(followCode(toBytes(deployedCode(contract))))
  const selector = signature === 'fallback' ? '0x00000000' : selectorOf(signature)
  return powers
    .filter((power) => power.selector === selector)
    .map(({ effect, guards, isTaken, unknown }) => {
      const who = isTaken === true ? ['open'] : guards.map(({ type }) => type)
      return `${effect}:${[...who, ...(unknown === undefined ? [] : [unknown])].join('+')}`
    })
}
