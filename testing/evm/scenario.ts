/**
 * A day in the life of contracts, with what the watcher must make of it.
 *
 * Every transaction is written down with the control events it causes: key, severity and arguments by hand, from the
 * sources of the contracts and the rules of severity, not from what the program answers.
 */
import { encodeFunctionData, type Hex, keccak256, stringToHex } from 'viem'
import type { EventArgs } from '../../server/src/control/catalog/layout.ts'
import type { Severity } from '../../vocabulary/severities.ts'
import type { Anvil } from './anvil.ts'
import { type Artifact, compileContracts } from './compile.ts'
import { type Deployed, type Evm, evmOf } from './evm.ts'

export type Expected = {
  readonly txHash: Hex
  readonly address: Hex
  readonly key: string
  readonly severity: Severity
  readonly isInit: boolean
  readonly args: EventArgs
}

/** Who emitted it, what it is, how much it matters, what it says. */
export type Caused = readonly [
  emitter: Deployed | Hex,
  key: string,
  severity: Severity | 'setup',
  args?: EventArgs | undefined,
]

export type Story = {
  readonly expected: Expected[]
  readonly contracts: Map<Hex, string>
  readonly evm: Evm
  /** A contract under watch from now on, under the kind the registry would give it. */
  readonly watch: (contract: Deployed, kind?: string) => Deployed
  readonly tell: (txHash: Hex, ...events: readonly Caused[]) => void
  /** Deploys, watches, and tells what its constructor logged. */
  readonly born: (
    artifact: Artifact,
    args: readonly unknown[],
    kind: string,
    ...events: readonly (readonly [string, (EventArgs | undefined)?])[]
  ) => Promise<Deployed>
  readonly act: (
    contract: Deployed,
    name: string,
    args: readonly unknown[],
    ...events: readonly (readonly [string, Severity, EventArgs?])[]
  ) => Promise<Hex>
}

export async function newStory(node: Anvil): Promise<Story> {
  const evm = await evmOf(node)
  const expected: Expected[] = []
  const contracts = new Map<Hex, string>()
  const tell: Story['tell'] = (txHash, ...events) => {
    for (const [emitter, key, severity, args = {}] of events)
      expected.push({
        txHash,
        address: typeof emitter === 'string' ? emitter : emitter.address,
        key,
        severity: severity === 'setup' ? 'info' : severity,
        isInit: severity === 'setup',
        args,
      })
  }
  const watch: Story['watch'] = (contract, kind = 'unknown') => {
    contracts.set(contract.address, kind)
    return contract
  }
  return {
    expected,
    contracts,
    evm,
    tell,
    watch,
    born: async (artifact, args, kind, ...events) => {
      const contract = watch(await evm.deploy(artifact, ...args), kind)
      tell(contract.txHash, ...events.map(([key, values]): Caused => [contract, key, 'setup', values]))
      return contract
    },
    act: async (contract, name, args, ...events) => {
      const txHash = await evm.send(contract, name, args)
      tell(txHash, ...events.map(([key, severity, values]): Caused => [contract, key, severity, values]))
      return txHash
    },
  }
}

/** Stands for a value the chain decides: an instant, or an id made of instants. */
export const ANY = '…'
/** Stands for the emitter itself, whose address is not known before it is made. */
export const SELF: Hex = '0x5e1f000000000000000000000000000000000000'

export const word = (value: number | bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
export const roleOf = (name: string): Hex => keccak256(stringToHex(name))
export const call = (contract: Pick<Deployed, 'abi'>, functionName: string, args: readonly unknown[] = []): Hex =>
  encodeFunctionData({ abi: contract.abi, functionName, args })

const compiled = compileContracts()
export const artifact = (name: string): Artifact => compiled[name] as Artifact
