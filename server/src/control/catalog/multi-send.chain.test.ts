/** Batches that overlap, are cut off or corrupted: what the libraries of Safe execute on a node is what the decoder lists. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { concatHex, encodeFunctionData, type Hex, numberToHex, parseAbi, size, slice, zeroAddress } from 'viem'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { eoa, FREE } from '../../../../testing/evm/control.ts'
import { evmOf } from '../../../../testing/evm/evm.ts'
import { multiSend, oldMultiSend } from '../../../../testing/evm/safe-transactions.ts'
import { type Random, seededRandom } from '../../../../testing/support/random.ts'
import { type DecodedCall, decodeCall } from './inner-calls.ts'

const SEEDS = 150
const [SENDER, SAFE] = [eoa(1), eoa(900)]
const abi = parseAbi(['function multiSend(bytes)'])

type Traced = { type: string; to?: Hex; value?: Hex; input: Hex; error?: string; calls?: Traced[] }

/** A batch in one of both forms, with faults in most: cut off, padded, with wrong lengths, operations and digits. */
function randomBatch(random: Random): Hex {
  const isPadded = random.chance(0.3)
  const entries = Array.from({ length: random.between(1, 4) }, (): Hex => {
    const operation = random.chance(0.9) ? random.below(2) : random.below(256)
    const to = random.chance(0.05) ? numberToHex(0, { size: 20 }) : eoa(random.between(10, 20))
    const data = random.chance(0.3) ? '0x' : random.hex(random.between(1, 70))
    const length = size(data) + (random.chance(0.15) ? random.between(-2, 40) : 0)
    const words = [numberToHex(random.below(3), { size: 32 }), numberToHex(Math.max(0, length), { size: 32 })] as const
    if (!isPadded) return concatHex([numberToHex(operation, { size: 1 }), to, words[0], words[1], data])
    const rest = `0x${'00'.repeat((32 - (size(data) % 32)) % 32)}` as const
    const dirt = random.chance(0.2) ? BigInt(random.between(1, 1_000)) << 160n : 0n
    const head = [operation, BigInt(to) + dirt].map((value) => numberToHex(value, { size: 32 }))
    return concatHex([
      ...head,
      words[0],
      numberToHex(random.chance(0.7) ? 0x80 : random.below(1_000), { size: 32 }),
      words[1],
      data,
      rest,
    ])
  })
  let batch = concatHex(entries)
  if (random.chance(0.3)) batch = slice(batch, 0, random.between(1, size(batch)))
  if (random.chance(0.2)) batch = concatHex([batch, random.hex(random.between(1, 90))])
  if (random.chance(0.2)) {
    const at = random.between(2, batch.length - 1)
    batch = `${batch.slice(0, at)}${random.below(16).toString(16)}${batch.slice(at + 1)}` as Hex
  }
  return batch
}

const executed = ({ calls = [] }: Traced): readonly string[] =>
  calls.map(({ type, to, value = '0x0', input }) =>
    type === 'DELEGATECALL' ? `delegatecall ${to} ${input}` : `call ${to} ${BigInt(value)} ${input}`,
  )
const listed = (
  calls: readonly Pick<DecodedCall, 'operation' | 'target' | 'value' | 'selector'>[],
): readonly string[] =>
  calls.map(({ operation, target, value }) =>
    (operation === 'delegatecall' ? `delegatecall ${target}` : `call ${target} ${value}`).replace(zeroAddress, SAFE),
  )
/** Without the data, of which the decoder lists what it names. Releases differ in what the zero address means. */
const comparable = (line: string): string => line.slice(0, line.lastIndexOf(' ')).replace(zeroAddress, SAFE)

function isWithin(part: readonly string[], all: readonly string[]): boolean {
  let at = 0
  for (const line of all) if (line === part[at]) at += 1
  return at === part.length
}

test('what a batch executes is listed, in every release', { skip: anvilMissing, timeout: 300_000 }, async () => {
  const node = await anvilForTests(1, FREE)
  const evm = await evmOf(node)
  const libraries = [
    ...(await Promise.all((['1.0.0', '1.1.1'] as const).map((version) => oldMultiSend(evm, version)))),
    await multiSend(evm, '1.3.0'),
    await multiSend(evm, '1.4.1'),
    await multiSend(evm, '1.5.0'),
  ]
  await node.rpc('anvil_setBalance', SAFE, '0xde0b6b3a7640000')
  let successes = 0
  for (const { address: library } of libraries) {
    // An account that delegates everything to the library.
    await node.rpc('anvil_setCode', SAFE, `0x363d3d373d3d3d363d73${library.slice(2)}5af43d82803e903d91602b57fd5bf3`)
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const data = encodeFunctionData({ abi, args: [randomBatch(seededRandom(seed))] })
      const trace = await node.rpc<Traced>(
        'debug_traceCall',
        { from: SENDER, to: SAFE, data, gas: '0x989680' },
        'latest',
        {
          tracer: 'callTracer',
        },
      )
      if (trace.error !== undefined) continue
      const lines = executed(trace.calls?.[0] ?? { type: '', input: '0x' }).map(comparable)
      successes += lines.length > 0 ? 1 : 0
      const { calls, problem } = decodeCall({ from: SAFE, to: library, value: 0n, data, operation: 'delegatecall' })
      const message = `seed ${seed}, library ${library}, ${problem ?? 'no problem'}`
      if (problem === undefined) assert.deepEqual(listed(calls), lines, message)
      else assert.ok(isWithin(lines, listed(calls)), `${message}: ${lines.join()} is not in ${listed(calls).join()}`)
    }
  }
  assert.ok(successes > 100, `${successes} batches were executed`)
})
