/**
 * Inserts a hidden path into a contract of an honest system, at random, and checks that no label stays green or amber.
 *
 *     node testing/adversary/mutants.ts --seeds 100             seeds 0 to 99
 *     node testing/adversary/mutants.ts --seeds 100 --from 500  seeds 500 to 599
 *
 * A seed decides the system, the contract, the place in its code, the trigger and the effect. The path is taken at the
 * start of the code or after one of its jump destinations, by any caller or by one hidden account. Only mutants count
 * whose path is reached and takes control on the local chain, of systems whose label is right before the change.
 * The exit code is 1 if a label is greener than the truth.
 */
import { parseArgs } from 'node:util'
import {
  concatHex,
  type Hex,
  hexToBigInt,
  hexToBytes,
  keccak256,
  pad,
  size,
  slice,
  stringToHex,
  toFunctionSelector,
  toHex,
  zeroAddress,
} from 'viem'
import { reasonTexts } from '../../vocabulary/reasons.ts'
import { startAnvil } from '../evm/anvil.ts'
import { FREE } from '../evm/control.ts'
import { CHAIN_ID } from '../evm/profiles.ts'
import { assemble } from './assemble.ts'
import { WEAK } from './case.ts'
import { instancesOf, TWINS } from './cases.ts'
import { ADMIN_SLOT, BEACON_SLOT, type Chain, callData, chainFor, codeOf, isTaken, LOGIC_SLOT } from './chain.ts'
import { createLabeler } from './labeler.ts'

/** How code of Solidity begins: the pointer to free memory. A jump and a jump destination take the same five bytes. */
const START = '6080604052'
/** What the hidden path returns. */
const REACHED = keccak256(stringToHex('hidden path'))

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '20' }, from: { type: 'string', default: '0' } },
})
const [count, from] = [Number(values.seeds), Number(values.from)]

/** Random numbers that follow from a seed. */
class Random {
  #next = 0
  readonly #seed: number

  constructor(seed: number) {
    this.#seed = seed
  }

  word(): Hex {
    this.#next += 1
    return keccak256(stringToHex(`${this.#seed}/${this.#next}`))
  }

  below(limit: number): number {
    return Number(hexToBigInt(this.word()) % BigInt(limit))
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T
  }
}

/** How the path is reached: code that leaves a truth value, the first word of the input, its size, and the sender. */
type Trigger = { readonly code: string; readonly first: Hex; readonly size: number; readonly from: Hex }

const xor = (a: Hex, b: Hex): Hex => toHex(hexToBigInt(a) ^ hexToBigInt(b), { size: 32 })

const byte = (value: number): Hex => toHex(value, { size: 1 })

/** Three words of input: a trigger, a slot or target, and a value; then what a call passes on. */
const INPUT = 3 * 32

/**
 * `at` is where the input of the path begins in calldata. A path in the middle of code must not change its memory, and
 * calls of controllers pass on input of any size.
 */
function triggerOf(random: Random, at: number, isInside: boolean, isController: boolean): Trigger {
  const [secret, mask] = [random.word(), random.word()]
  const caller: Hex = `0x${random.word().slice(-40)}`
  const wanted = at + INPUT + 1 + random.below(60)
  const load = `${byte(at)} CALLDATALOAD`
  const any = { first: mask, size: 0, from: caller }
  const known = { first: secret, size: 0, from: caller }
  const kinds: readonly Trigger[] = [
    { ...known, code: `${secret} ${load} EQ` },
    { ...known, code: `${xor(secret, mask)} ${mask} ${load} XOR EQ` },
    { ...known, code: `${load} ${secret} SUB ISZERO` },
    { ...known, code: `${secret} ${load} EQ data:0x42 0x01 LT MUL` },
    { ...any, code: `${caller} CALLER EQ` },
    { ...any, code: `${xor(pad(caller), mask)} ${mask} CALLER XOR EQ` },
    { ...any, code: `CALLDATASIZE ${byte(wanted)} EQ`, size: wanted },
  ]
  const withMemory: readonly Trigger[] = [
    { ...known, code: `${load} 0x00 MSTORE ${keccak256(secret)} 0x20 0x00 KECCAK256 EQ` },
    { ...any, code: `CALLER 0x00 MSTORE ${keccak256(pad(caller))} 0x20 0x00 KECCAK256 EQ` },
  ]
  const usable = isInside ? kinds : [...kinds, ...withMemory]
  return random.pick(usable.filter((trigger) => trigger.size === 0 || !isController))
}

/** What the path does. The words of its input are a slot, and a value or target. */
type Effect = { readonly code: string; readonly slot: (wanted: Hex) => Hex; readonly kind: 'store' | 'run' | 'call' }

function effectOf(random: Random, at: number, isController: boolean): Effect {
  const mask = random.word()
  const [slot, value] = [`${byte(at + 32)} CALLDATALOAD`, `${byte(at + 64)} CALLDATALOAD`]
  const same = (wanted: Hex): Hex => wanted
  const masked = (wanted: Hex): Hex => xor(wanted, mask)
  const rest = byte(at + INPUT)
  const data = `${rest} CALLDATASIZE SUB`
  const call = (target: string): string =>
    `${data} ${rest} 0x00 CALLDATACOPY 0x00 0x00 ${data} 0x00 0x00 ${target} GAS CALL POP`
  const run: Effect = { code: `0x00 0x00 0x00 0x00 ${value} GAS DELEGATECALL POP`, slot: same, kind: 'run' }
  const own: readonly Effect[] = [
    run,
    { code: `0x00 0x00 0x00 0x00 0x00 ${value} GAS CALLCODE POP`, slot: same, kind: 'run' },
    { code: `${value} ${xor(LOGIC_SLOT, mask)} ${mask} XOR SSTORE`, slot: same, kind: 'store' },
    { code: `${value} ${slot} SSTORE`, slot: same, kind: 'store' },
    { code: `${value} ${mask} ${slot} XOR SSTORE`, slot: masked, kind: 'store' },
  ]
  const acts: readonly Effect[] = [
    { code: call(value), slot: same, kind: 'call' },
    { code: call(`${value} ${slot} XOR`), slot: () => toHex(0, { size: 32 }), kind: 'call' },
    run,
  ]
  return random.pick(isController ? acts : own)
}

/** The input that triggers the path. */
const inputOf = (trigger: Trigger, prefix: Hex, slot: Hex, value: Hex): Hex => {
  const input = concatHex([prefix, trigger.first, slot, pad(value, { size: 32 })])
  return trigger.size === 0 ? input : concatHex([input, toHex(0, { size: trigger.size - size(input) })])
}

const END = `${REACHED} 0x00 MSTORE 0x20 0x00 RETURN`
/** Metadata at the end of the code may look like a push of up to 32 bytes. */
const PADDING = '00'.repeat(33)

/** The code with the hidden path at its start. */
function atStart(code: Hex, trigger: Trigger, effect: Effect): Hex {
  const padded: Hex = `0x${code.slice(2 + START.length)}${PADDING}`
  const hidden = toHex(size(padded) + START.length / 2, { size: 2 })
  return assemble(
    [
      `data:0x61${hidden.slice(2)}565b data:${padded}`,
      `:hidden ${trigger.code} @taken JUMPI data:0x${START} 0x04 JUMP`,
      `:taken ${effect.code} ${END}`,
    ].join(' '),
  )
}

const [JUMPDEST, JUMP, JUMPI, PC] = [0x5b, 0x56, 0x57, 0x58]
/** A jump destination, a jump to the hidden path, and the destination of the way back. */
const DETOUR = 6

/** Positions at which instructions after a jump destination can move elsewhere, and the bytes that they take. */
function detoursIn(code: Hex): readonly { readonly from: number; readonly to: number }[] {
  const bytes = hexToBytes(code)
  const found: { from: number; to: number }[] = []
  for (let at = 0; at < bytes.length; at += widthAt(bytes, at)) {
    if (bytes[at] !== JUMPDEST) continue
    let to = at + 1
    while (to < bytes.length && to - at < DETOUR && ![JUMPDEST, JUMP, JUMPI, PC].includes(bytes[to] as number))
      to += widthAt(bytes, to)
    if (to - at >= DETOUR && to < bytes.length) found.push({ from: at, to })
  }
  return found
}
const widthAt = (bytes: Uint8Array, at: number): number => {
  const opcode = bytes[at] as number
  return opcode >= 0x60 && opcode <= 0x7f ? opcode - 0x5e : 1
}

/** The code with the hidden path after one of its jump destinations. */
function inside(code: Hex, { from, to }: { from: number; to: number }, trigger: Trigger, effect: Effect): Hex {
  const [start, moved, rest] = [slice(code, 0, from), slice(code, from + 1, to), slice(code, to)]
  const hidden = toHex(size(code) + PADDING.length / 2, { size: 2 })
  const gap = '5b'.repeat(to - from - DETOUR)
  return assemble(
    [
      `data:${start} data:0x5b61${hidden.slice(2)}56${gap} :back data:${rest} data:0x${PADDING}`,
      `:hidden ${trigger.code} @taken JUMPI data:${moved} @back JUMP`,
      `:taken ${effect.code} ${END}`,
    ].join(' '),
  )
}

/** The address at the end of a word; the zero address if an answer is no word. */
const addressIn = (word: Hex): Hex => (size(word) === 32 ? `0x${word.slice(-40)}` : zeroAddress)
const WORD_0 = toHex(0, { size: 32 })
const WORD_1 = toHex(1, { size: 32 })

/** A contract that decides about a label: where its code runs, and whether it acts on the labeled contract. */
type Part = { readonly at: Hex; readonly entry: Hex; readonly isController: boolean }
/** An honest system, and the calls by which its controllers would upgrade it. */
type System = { readonly address: Hex; readonly parts: readonly Part[]; readonly upgrades: readonly Call[] }
type Call = { readonly to: Hex; readonly data: Hex }

async function systemOf(chain: Chain, address: Hex, code: Hex): Promise<System> {
  const [logic, admin, beacon] = await Promise.all(
    [LOGIC_SLOT, ADMIN_SLOT, BEACON_SLOT].map(async (slot) => addressIn(await chain.storage(address, slot))),
  )
  const upgrades = [
    { to: address, data: callData('upgradeToAndCall(address,bytes)', [code, '0x']) },
    { to: address, data: callData('upgradeTo(address)', [code]) },
    { to: admin as Hex, data: callData('upgradeAndCall(address,address,bytes)', [address, code, '0x']) },
    { to: beacon as Hex, data: callData('upgradeTo(address)', [code]) },
  ]
  const ownerOf = async (at: Hex): Promise<Hex> =>
    addressIn(await node.rpc<Hex>('eth_call', { to: at, data: callData('owner()') }, 'latest').catch(() => WORD_0))
  const owners = await Promise.all([address, admin as Hex, beacon as Hex].map(ownerOf))
  const candidates: readonly Part[] = [
    { at: address, entry: address, isController: false },
    { at: logic as Hex, entry: address, isController: false },
    { at: beacon as Hex, entry: beacon as Hex, isController: false },
    ...[admin as Hex, ...owners].map((at) => ({ at, entry: at, isController: true })),
  ]
  const parts: Part[] = []
  for (const part of candidates) {
    if (parts.some(({ at }) => at === part.at) || !(await codeOf(chain, part.at)).startsWith(`0x${START}`)) continue
    if (part.isController && !(await isTakenBy(chain, address, upgrades, (call) => ({ from: part.at, ...call }))))
      continue
    parts.push(part)
  }
  return { address, parts, upgrades }
}

/** Whether one of these transactions takes control. The chain stays as it is. */
async function isTakenBy<T>(
  chain: Chain,
  address: Hex,
  tries: readonly T[],
  transactionOf: (one: T) => { readonly from: Hex; readonly to: Hex; readonly data: Hex },
): Promise<boolean> {
  for (const one of tries) {
    const snapshot = await node.rpc('evm_snapshot')
    try {
      const { from, to, data } = transactionOf(one)
      await node.rpc('anvil_setBalance', from, toHex(10n ** 18n))
      await chain.evm.sendRaw(to, data, from)
      if (await isTaken(chain, address)) return true
    } catch {
      // Refused: the next one is tried.
    } finally {
      await node.rpc('evm_revert', snapshot)
    }
  }
  return false
}

/** Whether the hidden path takes control. Code of the attacker that a contract runs can do everything. */
async function isDangerous(chain: Chain, { address, upgrades }: System, mutant: Mutant, code: Hex): Promise<boolean> {
  const { trigger, effect, part, prefix } = mutant
  if (effect.kind === 'run') return true
  const from = trigger.from
  if (effect.kind === 'call')
    return isTakenBy(chain, address, upgrades, ({ to, data }) => {
      const input = inputOf(trigger, prefix, effect.slot(WORD_0), to)
      return { from, to: part.entry, data: concatHex([input, data]) }
    })
  return isTakenBy(chain, address, [LOGIC_SLOT, BEACON_SLOT, WORD_1, WORD_0], (slot) => ({
    from,
    to: part.entry,
    data: inputOf(trigger, prefix, effect.slot(slot), code),
  }))
}

type Mutant = {
  readonly part: Part
  readonly trigger: Trigger
  readonly effect: Effect
  /** The selector that leads to the hidden path. */
  readonly prefix: Hex
}

/** Functions that lead to many places of code. */
const SELECTORS = [
  'number()',
  'owner()',
  'implementation()',
  'proxiableUUID()',
  'getMinDelay()',
  'renounceOwnership()',
  'upgradeInterfaceVersion()',
  'setNumber(uint256)',
  'transferOwnership(address)',
  'upgradeTo(address)',
  'initialize(address)',
  'supportsInterface(bytes4)',
].map((signature) => toFunctionSelector(signature))
/** Places that are tried for one mutant. */
const PLACES = 8

/** Changes the code of a part of the system so that it has a hidden path, and proves that a call reaches it. */
async function mutate(chain: Chain, random: Random, part: Part): Promise<Mutant> {
  const original = await codeOf(chain, part.at)
  const isReached = async (code: Hex, { trigger, effect }: Mutant, prefix: Hex): Promise<boolean> => {
    await node.rpc('anvil_setCode', part.at, code)
    const data = inputOf(trigger, prefix, effect.slot(WORD_1), '0x00')
    const call = { to: part.entry, from: trigger.from, data }
    return (await node.rpc<Hex>('eth_call', call, 'latest').catch(() => '0x')) === REACHED
  }
  const isInside = random.below(2) === 0
  const at = isInside ? 4 : 0
  const [trigger, effect] = [
    triggerOf(random, at, isInside, part.isController),
    effectOf(random, at, part.isController),
  ]
  const mutant: Mutant = { part, trigger, effect, prefix: '0x' }
  const places = isInside ? detoursIn(original) : []
  for (let tries = 0; tries < PLACES && places.length > 0; tries += 1) {
    const code = inside(original, random.pick(places), trigger, effect)
    for (const prefix of SELECTORS) if (await isReached(code, mutant, prefix)) return { ...mutant, prefix }
  }
  const [first, then] = isInside
    ? [triggerOf(random, 0, false, part.isController), effectOf(random, 0, part.isController)]
    : [trigger, effect]
  const start: Mutant = { ...mutant, trigger: first, effect: then }
  if (!(await isReached(atStart(original, first, then), start, '0x'))) throw new Error('the hidden path is not reached')
  return start
}

const node = await startAnvil(CHAIN_ID, FREE)
const labeler = await createLabeler(node)
const faults: string[] = []
let [tried, harmless, insides] = [0, 0, 0]
const startedAt = Date.now()
try {
  const { environment, profileOf } = labeler
  const honest = instancesOf(TWINS).filter(({ deserves }) => !WEAK.includes(deserves))
  const systems: { readonly title: string; readonly chain: Chain; readonly system: System }[] = []
  const [first] = honest
  if (first === undefined) throw new Error('no honest twin')
  const code = await chainFor(environment, first.name, first.with).deploy('Taken')
  for (const twin of honest) {
    const chain = chainFor(environment, twin.name, twin.with)
    const { address } = await twin.build(chain)
    const system = await systemOf(chain, address, code)
    // What is not proven before it is changed would prove nothing afterwards.
    if (system.parts.length > 0 && !WEAK.includes((await profileOf(address)).label))
      systems.push({ title: twin.title, chain, system })
  }
  console.log(`${systems.length} of ${honest.length} honest systems after ${seconds()}`)
  for (let seed = from; seed < from + count; seed += 1) {
    const random = new Random(seed)
    const { title, chain, system } = random.pick(systems)
    const part = random.pick(system.parts)
    const original = await codeOf(chain, part.at)
    try {
      const mutant = await mutate(chain, random, part)
      if (!(await isDangerous(chain, system, mutant, code))) {
        harmless += 1
        continue
      }
      tried += 1
      if (mutant.prefix !== '0x') insides += 1
      if (tried % 50 === 0) console.error(`${tried} mutants after ${seconds()}`)
      const { label, reasons } = await profileOf(system.address)
      if (WEAK.includes(label)) continue
      faults.push(`seed ${seed}`)
      console.log(`GREENER seed ${seed}, ${title}, ${part.at}, ${mutant.prefix}: ${label}`)
      console.log(`  ${mutant.trigger.code}\n  ${mutant.effect.code}\n  ${reasonTexts(reasons).join('\n  ')}`)
    } finally {
      await node.rpc('anvil_setCode', part.at, original)
    }
  }
} finally {
  await labeler.close()
  await node.stop()
}
console.log(
  `${faults.length} of ${tried} mutants greener than the truth, ${insides} of them changed in the middle of their code`,
)
console.log(`${harmless} seeds whose hidden path takes no control; ${seconds()}`)
process.exitCode = faults.length === 0 ? 0 : 1

function seconds(): string {
  return `${((Date.now() - startedAt) / 1_000).toFixed(0)} s`
}
