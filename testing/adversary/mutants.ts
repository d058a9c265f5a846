/**
 * Inserts a hidden path into a contract of an honest system, at random, and checks that no label stays green or amber.
 *
 *     node testing/adversary/mutants.ts --seeds 100             seeds 0 to 99
 *     node testing/adversary/mutants.ts --seeds 100 --from 500  seeds 500 to 599
 *
 * A seed decides the system, the contract, the trigger and the effect. The path is taken at the start of the code, by any
 * caller or by one hidden account; a call with the trigger must reach it, otherwise the mutant is a fault of this program.
 * The exit code is 1 if a label is greener than the truth.
 */
import { parseArgs } from 'node:util'
import { concatHex, type Hex, hexToBigInt, keccak256, numberToHex, pad, size, stringToHex, toHex } from 'viem'
import { createCodeAnalyzer } from '../../server/src/control/poll/code-analyzer.ts'
import { probe } from '../../server/src/control/poll/probe.ts'
import { openSession } from '../../server/src/control/poll/session.ts'
import { DEFAULT_POLICY } from '../../server/src/control/rpc/endpoint-health.ts'
import { createRpcPool } from '../../server/src/control/rpc/pool.ts'
import { systemTiming } from '../../server/src/lib/clock.ts'
import { reasonTexts } from '../../vocabulary/reasons.ts'
import { startAnvil } from '../evm/anvil.ts'
import { FREE } from '../evm/control.ts'
import { assemble } from './assemble.ts'
import { WEAK } from './case.ts'
import { instancesOf, TWINS } from './cases.ts'
import { ADMIN_SLOT, type Chain, chainFor, codeOf, environmentOf, LOGIC_SLOT } from './chain.ts'

const CHAIN_ID = 1
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

/** How the path is reached: code that leaves a truth value, and the call that makes it true. */
type Trigger = { readonly code: string; readonly input: Hex; readonly from: Hex; readonly value?: Hex }

const xor = (a: Hex, b: Hex): Hex => toHex(hexToBigInt(a) ^ hexToBigInt(b), { size: 32 })

function triggerOf(random: Random): Trigger {
  const [secret, mask] = [random.word(), random.word()]
  const stranger: Hex = `0x${random.word().slice(-40)}`
  const words = (first: Hex): Hex => concatHex([first, pad('0x01', { size: 32 }), random.word()])
  const filled = words(secret)
  const kinds: readonly Trigger[] = [
    { code: `${secret} 0x00 CALLDATALOAD EQ`, input: filled, from: stranger },
    { code: `${xor(secret, mask)} ${mask} 0x00 CALLDATALOAD XOR EQ`, input: filled, from: stranger },
    {
      code: `0x00 CALLDATALOAD 0x00 MSTORE ${keccak256(secret)} 0x20 0x00 KECCAK256 EQ`,
      input: filled,
      from: stranger,
    },
    { code: `0x00 CALLDATALOAD ${secret} SUB ISZERO`, input: filled, from: stranger },
    { code: `${stranger} CALLER EQ`, input: words(mask), from: stranger },
    { code: `${xor(pad(stranger), mask)} ${mask} CALLER XOR EQ`, input: words(mask), from: stranger },
    {
      code: `CALLER 0x00 MSTORE ${keccak256(pad(stranger))} 0x20 0x00 KECCAK256 EQ`,
      input: words(mask),
      from: stranger,
    },
    { code: `${secret} 0x00 CALLDATALOAD EQ data:0x42 0x01 LT MUL`, input: filled, from: stranger },
    { code: `CALLDATASIZE ${numberToHex(97 + random.below(60))} EQ`, input: '0x', from: stranger },
  ]
  const trigger = random.pick(kinds)
  if (trigger.input !== '0x') return trigger
  // The size of the input is the trigger.
  const wanted = Number(/0x[0-9a-f]+/.exec(trigger.code)?.[0])
  return { ...trigger, input: concatHex([filled, toHex(0, { size: wanted - size(filled) })]) }
}

/** What the path does: takes the storage of the contract, or acts in its name. */
function effectOf(random: Random, isController: boolean): string {
  const mask = random.word()
  // The words of the input: a target or slot, and what it is set to.
  const own = [
    '0x00 0x00 0x00 0x00 0x40 CALLDATALOAD GAS DELEGATECALL POP',
    '0x00 0x00 0x00 0x00 0x00 0x40 CALLDATALOAD GAS CALLCODE POP',
    `0x40 CALLDATALOAD ${xor(LOGIC_SLOT, mask)} ${mask} XOR SSTORE`,
    `0x40 CALLDATALOAD 0x20 CALLDATALOAD SSTORE`,
    `0x40 CALLDATALOAD ${mask} 0x20 CALLDATALOAD XOR SSTORE`,
  ]
  const acts = [
    '0x60 CALLDATASIZE SUB 0x60 0x00 CALLDATACOPY 0x00 0x00 0x60 CALLDATASIZE SUB 0x00 0x00 0x40 CALLDATALOAD GAS CALL POP',
    '0x00 0x00 CALLDATASIZE 0x00 0x00 0x40 CALLDATALOAD GAS CALL POP',
    own[0] as string,
  ]
  return random.pick(isController ? acts : own)
}

/** The code with the hidden path; undefined for code that does not begin as Solidity's does. */
function mutated(code: Hex, trigger: Trigger, effect: string): Hex | undefined {
  if (!code.startsWith(`0x${START}`)) return undefined
  // Metadata at the end of the code may look like a push of up to 32 bytes.
  const padded: Hex = `0x${code.slice(2 + START.length)}${'00'.repeat(33)}`
  const hidden = numberToHex(size(padded) + START.length / 2, { size: 2 })
  return assemble(
    [
      `data:0x61${hidden.slice(2)}565b data:${padded}`,
      `:hidden ${trigger.code} @taken JUMPI data:0x${START} 0x04 JUMP`,
      `:taken ${effect} ${REACHED} 0x00 MSTORE 0x20 0x00 RETURN`,
    ].join(' '),
  )
}

const addressIn = (word: Hex): Hex => `0x${word.slice(-40)}`

/** Contracts of a system that decide about its label, and whether each controls another one. */
async function partsOf(chain: Chain, address: Hex): Promise<readonly { at: Hex; isController: boolean }[]> {
  const [logic, admin] = [await chain.storage(address, LOGIC_SLOT), await chain.storage(address, ADMIN_SLOT)]
  const parts = [
    { at: address, isController: false },
    { at: addressIn(logic), isController: false },
    { at: addressIn(admin), isController: true },
  ]
  const isSolidity = await Promise.all(parts.map(async ({ at }) => (await codeOf(chain, at)).startsWith(`0x${START}`)))
  return parts.filter((_, index) => isSolidity[index])
}

const node = await startAnvil(CHAIN_ID, FREE)
const codes = createCodeAnalyzer()
const faults: string[] = []
let [tried, skipped] = [0, 0]
try {
  const environment = await environmentOf(node)
  await environment.controllers.deployMulticall()
  const policy = { ...DEFAULT_POLICY, rate: { start: 5_000, min: 5_000, max: 5_000 } }
  const pool = createRpcPool(
    { timing: systemTiming, report: () => {} },
    { chain: 'ethereum', chainId: CHAIN_ID, urls: [node.url], policy },
  )
  const twins = instancesOf(TWINS).filter(
    ({ deserves, with: settings }) => !WEAK.includes(deserves) && settings === 'optimized',
  )
  const built = new Map<string, Hex>()
  for (let seed = from; seed < from + count; seed += 1) {
    const random = new Random(seed)
    const twin = random.pick(twins)
    const chain = chainFor(environment, twin.name, twin.with)
    const address = built.get(twin.title) ?? (await twin.build(chain)).address
    built.set(twin.title, address)
    const parts = await partsOf(chain, address)
    if (parts.length === 0) {
      skipped += 1
      continue
    }
    const { at, isController } = random.pick(parts)
    const [trigger, effect] = [triggerOf(random), effectOf(random, isController)]
    const original = await codeOf(chain, at)
    await node.rpc('anvil_setCode', at, mutated(original, trigger, effect))
    try {
      const reached = await node.rpc<Hex>('eth_call', { to: at, from: trigger.from, data: trigger.input }, 'latest')
      if (reached !== REACHED) throw new Error(`seed ${seed}: the hidden path of ${twin.title} is not reached`)
      const session = openSession({
        poolOf: (id) => (id === CHAIN_ID ? pool : undefined),
        codes,
        confirmationsOf: () => 0,
      })
      const { label, reasons } = (await probe({ session }, { chainId: CHAIN_ID, address })).profile
      tried += 1
      if (WEAK.includes(label)) continue
      faults.push(`seed ${seed}`)
      console.log(`GREENER seed ${seed}, ${twin.title}, ${at}: ${label}\n  ${trigger.code}\n  ${effect}`)
      console.log(`  ${reasonTexts(reasons).join('\n  ')}`)
    } finally {
      await node.rpc('anvil_setCode', at, original)
    }
  }
  pool.close?.()
} finally {
  await node.stop()
  await codes.close()
}
console.log(
  `${faults.length} of ${tried} mutants greener than the truth; ${skipped} seeds without a contract to change`,
)
process.exitCode = faults.length === 0 ? 0 : 1
