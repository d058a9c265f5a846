/** What an address can do, by contract instead of by effect. */
import type { Schemas } from 'gatewatch-client'

type View = Schemas['AddressView']
type Holder = Pick<View, 'chain' | 'address' | 'powers'>
type ContractPower = View['powers'][number]['contracts'][number]

/** All effects that the address can have on one contract along one path. */
export type HeldPowers = ContractPower & { readonly effects: readonly View['powers'][number]['effect'][] }

/** Most harmful first, as the view lists them. What a contract can do to itself is left out. */
export function heldPowers({ chain, address: holder, powers }: Holder): readonly HeldPowers[] {
  const held = powers
    .flatMap(({ effect, contracts }) => contracts.map((contract) => ({ effect, contract })))
    .filter(({ contract: { chainId, address } }) => chainId !== chain.id || address !== holder)
  const byPath = Map.groupBy(held, ({ contract: { chainId, address, through, signaturesNeeded, delaySeconds } }) =>
    [chainId, address, ...through, signaturesNeeded, delaySeconds].join(' '),
  )
  return [...byPath.values()].flatMap((paths) => {
    const [first] = paths
    return first === undefined ? [] : { ...first.contract, effects: paths.map(({ effect }) => effect) }
  })
}

/** The number of contracts, each counted once, that a condition holds for. */
export const countContracts = (held: readonly HeldPowers[], holds: (one: HeldPowers) => boolean = () => true): number =>
  new Set(held.filter(holds).map(({ chainId, address }) => `${chainId} ${address}`)).size
