/** Reads from the chain what the signatures of a Safe are checked against. */
import type { Hex } from 'viem'
import { decodeFunctionResult, encodeFunctionData, parseAbi, toFunctionSelector } from 'viem/utils'
import {
  isAtLeast,
  parseSafeVersion,
  safeTransactionHash,
  safeTransactionPreimage,
} from '../../profile/safe-transaction.ts'
import type { ContractRef } from '../../registry/contracts.ts'
import { ethCall, type StateBlock } from '../../rpc/requests.ts'
import type { Reads } from '../inspect.ts'
import type { Safe, SignatureChecks } from './verify-transactions.ts'

const SAFE = parseAbi([
  'function VERSION() view returns (string)',
  'function nonce() view returns (uint256)',
  'function getThreshold() view returns (uint256)',
  'function getOwners() view returns (address[])',
  'function approvedHashes(address, bytes32) view returns (uint256)',
])
const SIGNER = parseAbi(['function isValidSignature(bytes32, bytes) view returns (bytes4)'])
const OLD_SIGNER = parseAbi(['function isValidSignature(bytes, bytes) view returns (bytes4)'])

/** A Safe with more owners is not read: its signatures could not be checked in time. */
const MAX_OWNERS = 200

/** Undefined for a contract that does not respond as a Safe does. */
export async function readSafe(read: Reads, ref: ContractRef, block: StateBlock): Promise<Safe | undefined> {
  const get = async <Name extends Getter>(functionName: Name): Promise<Values[Name] | undefined> => {
    const data = toFunctionSelector(`${functionName}()`)
    const result = await read(ethCall({ to: ref.address, data }, block))
    return result === undefined ? undefined : (decoded(functionName, result) as Values[Name] | undefined)
  }
  const [text, nonce, threshold, owners] = await Promise.all([
    get('VERSION'),
    get('nonce'),
    get('getThreshold'),
    get('getOwners'),
  ])
  const version = text === undefined ? undefined : parseSafeVersion(text)
  if (version === undefined || nonce === undefined || threshold === undefined || owners === undefined) return undefined
  if (owners.length > MAX_OWNERS || threshold < 1n || threshold > BigInt(owners.length)) return undefined
  return {
    ...ref,
    version,
    nonce,
    threshold: Number(threshold),
    owners: owners.map((owner) => owner.toLowerCase() as Hex),
  }
}

type Values = { VERSION: string; nonce: bigint; getThreshold: bigint; getOwners: readonly Hex[] }
type Getter = keyof Values

function decoded(functionName: Getter, data: Hex): unknown {
  try {
    return decodeFunctionResult({ abi: SAFE, functionName, data })
  } catch {
    return undefined
  }
}

export function signatureChecks(read: Reads, safe: Safe, block: StateBlock): SignatureChecks {
  const startsWith = async (to: Hex, data: Hex, prefix: Hex): Promise<boolean> =>
    (await read(ethCall({ from: safe.address, to, data }, block)))?.startsWith(prefix) === true
  return {
    isApproved: async (owner, hash) => {
      const data = encodeFunctionData({ abi: SAFE, functionName: 'approvedHashes', args: [owner, hash] })
      const result = await read(ethCall({ to: safe.address, data }, block))
      return result !== undefined && result.length === 66 && BigInt(result) !== 0n
    },
    isAccepted: async (owner, transaction, signature) => {
      if (isAtLeast(safe.version, 1, 5)) {
        const args = [safeTransactionHash(safe, safe.version, transaction), signature] as const
        return await startsWith(owner, encodeFunctionData({ abi: SIGNER, args }), '0x1626ba7e')
      }
      const args = [safeTransactionPreimage(safe, safe.version, transaction), signature] as const
      return await startsWith(owner, encodeFunctionData({ abi: OLD_SIGNER, args }), '0x20c13b0b')
    },
  }
}
