/** Calls that a timelock makes to itself, by the events that announce its operations. */
import { concatHex, decodeAbiParameters, parseAbiParameters, toFunctionSelector } from 'viem/utils'
import type { Hex } from '../../lib/hex.ts'
import { addressOf } from '../profile/abi-values.ts'
import { CALL_SCHEDULED } from '../profile/filled-entries.ts'
import type { Log } from '../rpc/parse.ts'

const SCHEDULED = parseAbiParameters('address, uint256, bytes, bytes32, uint256')
const QUEUED = parseAbiParameters('uint256, string, bytes, uint256')

/** The calldata; none for a call to another contract, and empty if the event cannot be read. */
export function ownCallsIn({ topics, data }: Pick<Log, 'topics' | 'data'>, contract: Hex): readonly Hex[] {
  const [event, , second] = topics
  try {
    if (event === CALL_SCHEDULED) {
      const [target, , input] = decodeAbiParameters(SCHEDULED, data)
      return isSame(target, contract) ? [input] : []
    }
    const target = addressOf(second ?? '0x')
    if (target !== undefined && !isSame(target, contract)) return []
    const [, signature, input] = decodeAbiParameters(QUEUED, data)
    return [signature === '' ? input : concatHex([toFunctionSelector(signature), input])]
  } catch {
    return ['0x']
  }
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
