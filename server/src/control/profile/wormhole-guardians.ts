/** Wormhole's guardians: more than two thirds of the current set sign for new logic. */
import type { Hex } from 'viem'
import { addressesOf, toWord } from './abi-values.ts'
import type { CodeFacts } from './code-facts.ts'
import type { Facts } from './facts.ts'
import { type Upgrader, upgrader } from './upgrader.ts'

/** `submitContractUpgrade(bytes)`. */
const GUARDIAN_UPGRADE: Hex = '0x5cb8cae2'
const GET_GUARDIAN_SET: Hex = '0xf951975a'

export function guardianSet(facts: Facts, logic: CodeFacts): Upgrader | undefined {
  const index = facts.uint('guardianSetIndex')
  if (index === undefined || !logic.selectors.has(GUARDIAN_UPGRADE)) return undefined
  const result = facts.call(`${GET_GUARDIAN_SET}${toWord(index).slice(2)}`)
  // A struct with a list in it: the list begins after the offset of the struct.
  const owners = result === undefined ? undefined : addressesOf(`0x${result.slice(66)}`)
  if (owners === undefined || owners.length === 0) return undefined
  const threshold = Math.floor((owners.length * 2) / 3) + 1
  return {
    ...upgrader(facts.state.address, { code: 'guardian_set' }),
    quorum: { threshold, owners, guardianSet: String(index) },
  }
}
