/** Sends transactions of Safes of any release on a test node: signed, batched, nested, by modules. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { concatHex, encodeFunctionData, type Hex, numberToHex, size, zeroAddress } from 'viem'
import { type Artifact, type SafeVersion, safeContract } from './compile.ts'
import { type ControlContracts, dataOf } from './control.ts'
import type { Deployed, Evm } from './evm.ts'

export type SafeCall = {
  readonly to: Hex
  readonly data?: Hex
  readonly value?: bigint
  readonly isDelegated?: boolean
  /** With a gas limit, a failing call does not revert the transaction. */
  readonly safeTxGas?: bigint
}

/** The calldata of `execTransaction` with the approval of its sender, who is the only signer needed. */
export function execData(safe: Deployed, sender: Hex, call: SafeCall): Hex {
  return dataOf(safe, 'execTransaction', execArguments(sender, call))
}

function execArguments(sender: Hex, { to, data = '0x', value = 0n, isDelegated = false, safeTxGas = 0n }: SafeCall) {
  const signature = concatHex([numberToHex(BigInt(sender), { size: 32 }), numberToHex(1, { size: 33 })])
  return [to, value, data, isDelegated ? 1 : 0, safeTxGas, 0n, 0n, zeroAddress, zeroAddress, signature] as const
}

/** Executes a call as a Safe with a threshold of one, sent by an owner. */
export const execute = ({ as }: ControlContracts, safe: Deployed, owner: Hex, call: SafeCall): Promise<Hex> =>
  as(owner, safe, 'execTransaction', ...execArguments(owner, call))

/** The calldata of a batch for MultiSend. */
export const batchData = (calls: readonly SafeCall[]): Hex =>
  encodeFunctionData({
    abi: [
      { type: 'function', name: 'multiSend', inputs: [{ type: 'bytes' }], outputs: [], stateMutability: 'payable' },
    ],
    args: [
      concatHex(
        calls.flatMap(({ to, data = '0x', value = 0n, isDelegated = false }) => [
          isDelegated ? '0x01' : '0x00',
          to,
          numberToHex(value, { size: 32 }),
          numberToHex(size(data), { size: 32 }),
          data,
        ]),
      ),
    ],
  })

export const multiSend = (evm: Evm, version: SafeVersion): Promise<Deployed> =>
  evm.deploy(safeContract(version, 'libraries/MultiSend'))

type OldRelease = Readonly<Record<'GnosisSafe' | 'Proxy' | 'MultiSend', Artifact>>

export type OldVersion = '1.0.0' | '1.1.1' | '1.2.0'

function oldRelease(version: OldVersion): OldRelease {
  const file = join(import.meta.dirname, '..', 'fixtures', `safe-${version}.json`)
  return JSON.parse(readFileSync(file, 'utf8')) as OldRelease
}

export const oldMultiSend = (evm: Evm, version: OldVersion): Promise<Deployed> =>
  evm.deploy(oldRelease(version).MultiSend)

/** A Safe of an old release. Release 1.0.0 logs nothing when a transaction succeeds. */
export async function oldSafe(
  evm: Evm,
  owners: readonly Hex[],
  threshold: number,
  version: OldVersion = '1.0.0',
): Promise<Deployed> {
  const release = oldRelease(version)
  const singleton = await evm.deploy(release.GnosisSafe)
  const proxy = await evm.deploy(release.Proxy, singleton.address)
  const safe = { ...proxy, abi: release.GnosisSafe.abi }
  const payment = [zeroAddress, 0n, zeroAddress]
  const handler = version === '1.0.0' ? [] : [zeroAddress]
  await evm.send(safe, 'setup', [owners, BigInt(threshold), zeroAddress, '0x', ...handler, ...payment])
  return safe
}
