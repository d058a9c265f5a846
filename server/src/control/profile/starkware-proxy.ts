/** Upgrades that a quorum signs for (Wormhole), or that governors announce and wait for (StarkWare). */
import type { Hex } from 'viem'
import { addressesOf, toWord, uintOf } from './abi-values.ts'
import type { Authority } from './authority.ts'
import type { CodeFacts } from './code-facts.ts'
import type { Facts } from './facts.ts'
import { type Root, rootOf } from './upgrader.ts'

/** `submitContractUpgrade(bytes)`: more than two thirds of Wormhole's guardians sign for new logic. */
const GUARDIAN_UPGRADE: Hex = '0x5cb8cae2'
const GET_GUARDIAN_SET: Hex = '0xf951975a'

export function guardianRoot(facts: Facts, logic: CodeFacts): Root | undefined {
  const index = facts.uint('guardianSetIndex')
  if (index === undefined || !logic.selectors.has(GUARDIAN_UPGRADE)) return undefined
  const answer = facts.call(`${GET_GUARDIAN_SET}${toWord(index).slice(2)}`)
  // A struct with a list in it: the list begins after the pointer to the struct.
  const members = answer === undefined ? undefined : addressesOf(`0x${answer.slice(66)}`)
  if (members === undefined || members.length === 0) return undefined
  const needed = Math.floor((members.length * 2) / 3) + 1
  const text = `guardian set ${index} (${needed} of ${members.length} sign an upgrade)`
  return { address: facts.state.address, role: 'Upgrade authority', delay: 0, quorum: { needed, members, text } }
}

/** Governors announce an upgrade and wait; they stand in a mapping that only their events list. */
export function ofStarkware(facts: Facts): Authority {
  const implementation = facts.slot('starkwareImplementation') as Hex
  const base = { kind: 'proxy_custom', implementation } as const
  // The logic behind the proxy might answer in its place: of two delays the shorter is believed.
  const stored = facts.word('starkwareDelay')
  const delays = [facts.uint('upgradeActivationDelay'), stored === undefined ? undefined : uintOf(stored)]
  const known = delays.filter((delay) => delay !== undefined).map((delay) => Math.min(Number(delay), 10 ** 12))
  const governors = facts.book('governors')
  if (governors === undefined || governors.length === 0)
    return { ...base, type: 'unresolved', notes: ['Its governors could not be told.'] }
  const seconds = known.length === 0 ? 0 : Math.min(...known)
  const roots = governors.map((address) => rootOf(address, 'Governor of the StarkWare proxy', seconds))
  return { ...base, type: 'roots', roots, notes: [`The activation delay of an upgrade is ${seconds} seconds.`] }
}
