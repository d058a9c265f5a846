import assert from 'node:assert/strict'
import { test } from 'node:test'
import { concatHex, encodeFunctionData, type Hex, numberToHex, parseAbi, size, slice, zeroAddress } from 'viem'
import { type Random, seededRandom } from '../../../../testing/support/random.ts'
import { type Call, callsIn, type DecodedCall, decodeCall } from './inner-calls.ts'

const abi = parseAbi([
  'function execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
  'function execTransactionFromModule(address,uint256,bytes,uint8)',
  'function multiSend(bytes)',
  'function multicall(bytes[])',
  'function scheduleBatch(address[],uint256[],bytes[],bytes32,bytes32,uint256)',
  'function executeTransaction(address,uint256,string,bytes,uint256)',
  'function executeBatch((address,uint256,bytes)[])',
  'function upgradeTo(address)',
  'function upgradeAndCall(address,address,bytes)',
])
const addressOf = (n: number): Hex => numberToHex(n, { size: 20 })
const [OWNER, SAFE, LIBRARY, PROXY, LOGIC] = [1, 2, 3, 4, 5].map((n) => addressOf(0xa000 + n)) as [
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
]
const ZERO = numberToHex(0, { size: 32 })
const upgradeTo = encodeFunctionData({ abi, functionName: 'upgradeTo', args: [LOGIC] })

type Entry = { readonly to: Hex; readonly value: bigint; readonly data: Hex; readonly isDelegated: boolean }

const exec = ({ to, value, data, isDelegated }: Entry): Hex =>
  encodeFunctionData({
    abi,
    functionName: 'execTransaction',
    args: [to, value, data, isDelegated ? 1 : 0, 0n, 0n, 0n, zeroAddress, zeroAddress, '0x1234'],
  })
const packed = (entries: readonly Entry[]): Hex =>
  concatHex(
    entries.flatMap(({ to, value, data, isDelegated }) => [
      isDelegated ? '0x01' : '0x00',
      to,
      numberToHex(value, { size: 32 }),
      numberToHex(size(data), { size: 32 }),
      data,
    ]),
  )
const multiSend = (batch: Hex): Hex => encodeFunctionData({ abi, functionName: 'multiSend', args: [batch] })
const callTo = (to: Hex, data: Hex): Entry => ({ to, value: 0n, data, isDelegated: false })
const decoded = (data: Hex): DecodedCall => decodeCall({ from: OWNER, to: SAFE, value: 0n, data })
const problemsIn = (call: DecodedCall) => [...callsIn(call)].flatMap(({ problem }) => problem ?? [])

test('the upgrade inside a batch inside a Safe inside a Safe is named, with who makes it', () => {
  const batch = multiSend(packed([callTo(addressOf(7), '0x'), callTo(PROXY, upgradeTo)]))
  const inner = exec({ to: LIBRARY, value: 0n, data: batch, isDelegated: true })
  const call = decoded(exec(callTo(addressOf(9), inner)))
  assert.deepEqual(
    [...callsIn(call)].map(({ from, target, operation, signature }) => [
      from,
      target,
      operation,
      signature?.split('(')[0],
    ]),
    [
      [OWNER, SAFE, 'call', 'execTransaction'],
      [SAFE, addressOf(9), 'call', 'execTransaction'],
      [addressOf(9), LIBRARY, 'delegatecall', 'multiSend'],
      [addressOf(9), addressOf(7), 'call', undefined],
      [addressOf(9), PROXY, 'call', 'upgradeTo'],
    ],
  )
  const last = [...callsIn(call)].at(-1)
  assert.deepEqual([last?.isControl, last?.args, last?.affects], [true, [LOGIC], [PROXY]])
})

test('a transfer of the allowance module is one of the Safe', () => {
  const allowance = parseAbi([
    'function executeAllowanceTransfer(address,address,address,uint96,address,uint96,address,bytes)',
  ])
  const transfer = (token: Hex): DecodedCall | undefined =>
    decoded(
      encodeFunctionData({
        abi: allowance,
        args: [SAFE, token, OWNER, 7n, zeroAddress, 0n, OWNER, '0x'],
      }),
    ).calls[0]
  const [coins, tokens] = [transfer(zeroAddress), transfer(PROXY)]
  assert.deepEqual([coins?.from, coins?.target, coins?.value], [SAFE, OWNER, '7'])
  assert.deepEqual(
    [tokens?.from, tokens?.target, tokens?.signature, tokens?.args],
    [SAFE, PROXY, 'transfer(address,uint256)', [OWNER, '7']],
  )
})

test('a batch that is called runs as the library', () => {
  const [, , inner] = [...callsIn(decoded(exec(callTo(LIBRARY, multiSend(packed([callTo(PROXY, upgradeTo)]))))))]
  assert.equal(inner?.from, LIBRARY)
})

test('the batches of release 1.0.0 are read, and what reads both ways is listed both ways', () => {
  const words = (...values: readonly (bigint | Hex)[]): Hex =>
    concatHex(values.map((value) => numberToHex(BigInt(value), { size: 32 })))
  const entry = concatHex([words(1n, PROXY, 0n, 0x80n, 36n), upgradeTo, `0x${'00'.repeat(28)}`])
  const [, ...calls] = callsIn(decoded(multiSend(concatHex([entry, entry]))))
  assert.deepEqual(
    calls.map(({ target, operation, signature }) => [target, operation, signature]),
    Array.from({ length: 2 }, () => [PROXY, 'delegatecall', 'upgradeTo(address)']),
  )
  assert.deepEqual(problemsIn(decoded(multiSend(entry))), [])
})

test('what precedes an address in its word is ignored, as contracts do', () => {
  const data = exec({ to: LIBRARY, value: 0n, data: upgradeTo, isDelegated: true })
  const dirty: Hex = `0x${data.slice(2, 10)}${'ff'.repeat(12)}${data.slice(34)}`
  const [, inner] = callsIn(decoded(dirty))
  assert.deepEqual([inner?.target, inner?.operation], [LIBRARY, 'delegatecall'])
  const admin = encodeFunctionData({ abi, functionName: 'upgradeAndCall', args: [PROXY, LOGIC, '0x'] })
  const dirtyAdmin: Hex = `0x${admin.slice(2, 10)}${'ff'.repeat(12)}${admin.slice(34)}`
  assert.deepEqual(decoded(dirtyAdmin).affects, [SAFE, PROXY])
})

test('values that overlap are read where they are', () => {
  const data = exec({ to: PROXY, value: 0n, data: upgradeTo, isDelegated: false })
  const signatures = 10 + 64 * 9
  const overlapping: Hex = `0x${data.slice(2, signatures)}${data.slice(10 + 64 * 2, 10 + 64 * 3)}${data.slice(signatures + 64)}`
  assert.equal([...callsIn(decoded(overlapping))][1]?.signature, 'upgradeTo(address)')
})

test('an entry cut off at its end is executed with zeros, a rest of 32 bytes is not executed', () => {
  const entries = [callTo(addressOf(7), '0x'), callTo(PROXY, upgradeTo)]
  const cut = decoded(multiSend(slice(packed(entries), 0, -32)))
  assert.deepEqual(
    cut.calls.map(({ target, selector }) => [target, selector]),
    [
      [addressOf(7), undefined],
      [PROXY, '0x3659cfe6'],
    ],
  )
  assert.deepEqual(problemsIn(cut), ['malformed'])
  const rest = decoded(multiSend(concatHex([packed(entries), `0x${'00'.repeat(32)}`])))
  assert.deepEqual([rest.calls.length, problemsIn(rest)], [2, []])
  const huge = concatHex([packed(entries), '0x00', PROXY, ZERO, `0x${'ff'.repeat(32)}`, upgradeTo])
  assert.deepEqual([decoded(multiSend(huge)).calls.length, problemsIn(decoded(multiSend(huge)))], [2, ['malformed']])
})

/** A random call, and what decoding it has to give: one line for each call, depth first. */
function randomCall(random: Random, depth: number, call: Omit<Required<Call>, 'data'>): { data: Hex; lines: string[] } {
  const { from, to, operation } = call
  const line = (name: string): string => `${from} ${operation} ${to} ${call.value} ${name}`
  const kinds = ['leaf', 'exec', 'module', 'batch', 'timelock', 'compound', 'account', 'itself'] as const
  const kind = depth === 0 ? 'leaf' : random.pick(kinds)
  const next = (from: Hex, isDelegated: boolean, target?: Hex) => {
    const inner = {
      from,
      to: target ?? addressOf(random.between(1, 1_000_000)),
      value: BigInt(random.between(0, 1_000)),
    }
    const made = randomCall(random, depth - 1, { ...inner, operation: isDelegated ? 'delegatecall' : 'call' })
    return { ...inner, isDelegated, ...made }
  }
  const many = <T>(make: () => T): T[] => Array.from({ length: random.between(0, 4) }, make)
  const withInner = (name: string, data: Hex, inner: readonly { readonly lines: readonly string[] }[]) => ({
    data,
    lines: [line(name), ...inner.flatMap(({ lines }) => lines)],
  })
  if (kind === 'exec' || kind === 'module') {
    const inner = next(to, random.chance(0.3))
    const args = [inner.to, inner.value, inner.data, inner.isDelegated ? 1 : 0] as const
    const data =
      kind === 'exec' ? exec(inner) : encodeFunctionData({ abi, functionName: 'execTransactionFromModule', args })
    return withInner(kind === 'exec' ? 'execTransaction' : 'execTransactionFromModule', data, [inner])
  }
  if (kind === 'batch') {
    const inner = many(() => next(operation === 'delegatecall' ? from : to, random.chance(0.3)))
    return withInner('multiSend', multiSend(packed(inner)), inner)
  }
  if (kind === 'timelock') {
    const inner = many(() => next(to, false))
    const columns = [inner.map((one) => one.to), inner.map((one) => one.value), inner.map((one) => one.data)] as const
    const data = encodeFunctionData({ abi, functionName: 'scheduleBatch', args: [...columns, ZERO, ZERO, 0n] })
    return withInner('scheduleBatch', data, inner)
  }
  if (kind === 'account') {
    const inner = many(() => next(to, false))
    const args = [inner.map((one) => [one.to, one.value, one.data] as const)] as const
    return withInner('executeBatch', encodeFunctionData({ abi, functionName: 'executeBatch', args }), inner)
  }
  if (kind === 'itself') {
    const inner = many(() => ({ ...next(from, false, to), value: 0n }))
    const lines = inner.map((one) => [one.lines[0]?.replace(/ \d+ (\S+)$/, ' 0 $1') ?? '', ...one.lines.slice(1)])
    const data = encodeFunctionData({ abi, functionName: 'multicall', args: [inner.map((one) => one.data)] })
    return withInner(
      'multicall',
      data,
      lines.map((some) => ({ lines: some })),
    )
  }
  if (kind === 'compound') {
    const target = addressOf(random.between(1, 1_000_000))
    const args = [target, 7n, 'upgradeTo(address)', slice(upgradeTo, 4), 0n] as const
    const data = encodeFunctionData({ abi, functionName: 'executeTransaction', args })
    return { data, lines: [line('executeTransaction'), `${to} call ${target} 7 upgradeTo`] }
  }
  return random.chance(0.5) ? { data: upgradeTo, lines: [line('upgradeTo')] } : { data: '0x', lines: [line('none')] }
}

test('what is only queued is marked', () => {
  const args = [[PROXY], [0n], [upgradeTo], ZERO, ZERO, 0n] as const
  const queue = encodeFunctionData({ abi, functionName: 'scheduleBatch', args })
  assert.deepEqual(
    [...callsIn(decoded(exec(callTo(LIBRARY, queue))))].map(({ isDeferred }) => isDeferred),
    [false, false, true],
  )
})

const linesOf = (call: DecodedCall): string[] =>
  [...callsIn(call)].map(
    ({ from, operation, target, value, signature }) =>
      `${from} ${operation} ${target} ${value} ${signature?.split('(')[0] ?? 'none'}`,
  )

test('random trees of calls are decoded completely: nothing is lost, nothing doubles', () => {
  for (let seed = 1; seed <= 400; seed += 1) {
    const call = { from: OWNER, to: SAFE, value: 0n, operation: 'call' } as const
    const { data, lines } = randomCall(seededRandom(seed), 6, call)
    const found = decodeCall({ ...call, data })
    assert.deepEqual(linesOf(found), lines, `seed ${seed}`)
    assert.deepEqual(problemsIn(found), [], `seed ${seed}`)
  }
})

test('corrupted calldata never throws, and decoding stays bounded', () => {
  for (let seed = 1; seed <= 400; seed += 1) {
    const random = seededRandom(seed)
    const { data } = randomCall(random, 5, { from: OWNER, to: SAFE, value: 0n, operation: 'call' })
    const digits = Array.from(data.slice(0, random.between(2, data.length)))
    for (let flip = 0; flip < 5; flip += 1)
      if (digits.length > 2) digits[random.between(2, digits.length - 1)] = random.below(16).toString(16)
    assert.ok([...callsIn(decoded(digits.join('') as Hex))].length <= 10_001, `seed ${seed}`)
  }
})

/** A list of calls that are all the same bytes: contracts accept offsets that are equal. */
function sharedCalls(count: number, data: Hex): Hex {
  const offset = numberToHex(count * 32, { size: 32 })
  const offsets = Array.from({ length: count }, () => offset)
  const words = [numberToHex(32, { size: 32 }), numberToHex(count, { size: 32 }), ...offsets]
  return concatHex(['0xac9650d8', ...words, numberToHex(size(data), { size: 32 }), data])
}

test('calldata of 128 kB and calldata that repeats itself end, and say where they are incomplete', () => {
  const many = packed(Array.from({ length: 1_500 }, () => callTo(PROXY, '0x')))
  assert.ok(size(many) > 127_000)
  assert.equal(decoded(multiSend(many)).calls.length, 1_500)
  assert.equal(decoded(sharedCalls(3, upgradeTo)).calls.length, 3)
  const repeated = decoded(sharedCalls(300, sharedCalls(300, sharedCalls(300, upgradeTo))))
  assert.ok([...callsIn(repeated)].length <= 10_001)
  assert.deepEqual([...new Set(problemsIn(repeated))], ['too_many'])
  let data: Hex = upgradeTo
  for (let depth = 0; depth < 60; depth += 1) data = exec(callTo(SAFE, data))
  assert.deepEqual(problemsIn(decoded(data)), ['too_deep'])
})
