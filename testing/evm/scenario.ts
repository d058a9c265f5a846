/**
 * Transactions on real contracts, with the control events that the watcher must store for them.
 *
 * Keys, severities and arguments are written by hand from the contract sources and the severity rules, not copied from
 * the program's output.
 */
import { encodeFunctionData, type Hex, keccak256, stringToHex } from 'viem'
import type { EventArgs } from '../../server/src/control/catalog/layout.ts'
import type { Severity } from '../../vocabulary/severities.ts'
import type { Anvil } from './anvil.ts'
import { type Artifact, compileContracts } from './compile.ts'
import { type Deployed, type Evm, evmOf } from './evm.ts'

export type ExpectedEvent = {
  readonly txHash: Hex
  readonly address: Hex
  readonly key: string
  readonly severity: Severity
  readonly isInit: boolean
  readonly args: EventArgs
}

/** An event that a transaction emits. `setup` marks an event of the contract's creation. */
export type EmittedEvent = readonly [
  emitter: Deployed | Hex,
  key: string,
  severity: Severity | 'setup',
  args?: EventArgs | undefined,
]

export type Scenario = {
  readonly expected: ExpectedEvent[]
  readonly contracts: Map<Hex, string>
  readonly evm: Evm
  /** Adds a contract to the registry with this kind. */
  readonly watch: (contract: Deployed, kind?: string) => Deployed
  readonly expectEvents: (txHash: Hex, ...events: readonly EmittedEvent[]) => void
  /** Deploys and watches a contract, and expects the events of its constructor. */
  readonly deployWatched: (
    artifact: Artifact,
    args: readonly unknown[],
    kind: string,
    ...events: readonly (readonly [string, (EventArgs | undefined)?])[]
  ) => Promise<Deployed>
  readonly send: (
    contract: Deployed,
    name: string,
    args: readonly unknown[],
    ...events: readonly (readonly [string, Severity, EventArgs?])[]
  ) => Promise<Hex>
}

export async function newScenario(node: Anvil): Promise<Scenario> {
  const evm = await evmOf(node)
  const expected: ExpectedEvent[] = []
  const contracts = new Map<Hex, string>()
  const expectEvents: Scenario['expectEvents'] = (txHash, ...events) => {
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
  const watch: Scenario['watch'] = (contract, kind = 'unknown') => {
    contracts.set(contract.address, kind)
    return contract
  }
  return {
    expected,
    contracts,
    evm,
    expectEvents,
    watch,
    deployWatched: async (artifact, args, kind, ...events) => {
      const contract = watch(await evm.deploy(artifact, ...args), kind)
      expectEvents(contract.txHash, ...events.map(([key, values]): EmittedEvent => [contract, key, 'setup', values]))
      return contract
    },
    send: async (contract, name, args, ...events) => {
      const txHash = await evm.send(contract, name, args)
      expectEvents(txHash, ...events.map(([key, severity, values]): EmittedEvent => [contract, key, severity, values]))
      return txHash
    },
  }
}

/** Stands for a value that the chain determines: a time, or an id derived from one. */
export const ANY = '…'
/** Stands for the emitter, whose address is unknown before its deployment. */
export const SELF: Hex = '0x5e1f000000000000000000000000000000000000'

export const word = (value: number | bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
export const roleOf = (name: string): Hex => keccak256(stringToHex(name))
export const call = (contract: Pick<Deployed, 'abi'>, functionName: string, args: readonly unknown[] = []): Hex =>
  encodeFunctionData({ abi: contract.abi, functionName, args })

const compiled = compileContracts()
export const artifact = (name: string): Artifact => compiled[name] as Artifact
