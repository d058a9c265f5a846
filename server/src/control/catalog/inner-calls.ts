/**
 * Decodes the calls inside a call: what a Safe, a module, a batch, a timelock or a smart account executes, at any
 * depth.
 *
 *     const call = decodeCall({ from: owner, to: safe, value: 0n, data })
 *     for (const inner of callsIn(call)) inner.signature // 'execTransaction(…)', 'multiSend(bytes)', 'upgradeTo(address)'
 *
 * Calldata is read as contracts execute it, not as compilers write it: they ignore what precedes an address in its word,
 * accept values that overlap, and read zeros after the end. What would fail on the chain is decoded as far as it goes. If
 * something could not be decoded, `problem` says so: nothing is left out silently.
 */
import type { Hex } from 'viem'
import { keccak256, toFunctionSelector } from 'viem/utils'
import { describeCall, type KnownCall } from './known-functions.ts'

export type Call = {
  /** The account that makes the call. */
  readonly from: Hex
  readonly to: Hex
  readonly value: bigint
  readonly data: Hex
  /** A delegatecall runs the code of `to` with the storage and the rights of `from`. */
  readonly operation?: Operation
}

export type Operation = 'call' | 'delegatecall'

export type CallProblem =
  | 'malformed' // an offset or a length points outside the calldata
  | 'ambiguous' // it can be read in two ways, and both are listed
  | 'too_deep'
  | 'too_many'

export type DecodedCall = KnownCall & {
  readonly from: Hex
  /** Wei, in decimal digits. */
  readonly value: string
  readonly operation: Operation
  /** Whether the call around it only queues it. */
  readonly isDeferred: boolean
  /** The calls that it makes in turn, in order. */
  readonly calls: readonly DecodedCall[]
  readonly problem?: CallProblem
}

const MAX_DEPTH = 40
const MAX_CALLS = 10_000
/** How often the calldata may be read again, by nesting and by values that overlap. */
const MAX_READS = 64

/** Decodes a call and the calls inside it. */
export function decodeCall(call: Call): DecodedCall {
  return decode(call, false, 0, { calls: MAX_CALLS, digits: (call.data.length + 1_000) * MAX_READS })
}

/** The call and all calls inside it, in the order of their execution. */
export function* callsIn(call: DecodedCall): Generator<DecodedCall> {
  yield call
  for (const inner of call.calls) yield* callsIn(inner)
}

/** Whether a part is too deep or too long to be decoded. Only calldata that is meant to hide something is. */
export const isCut = (call: DecodedCall): boolean =>
  [...callsIn(call)].some(({ problem }) => problem === 'too_deep' || problem === 'too_many')

type Budget = { calls: number; digits: number }

function decode(call: Call, isDeferred: boolean, depth: number, budget: Budget): DecodedCall {
  budget.calls -= 1
  budget.digits -= call.data.length
  const { from, to, value, data, operation = 'call' } = call
  const container = READERS.get(data.slice(0, 10))
  const name = container === undefined ? {} : { signature: container.signature }
  const described = { ...name, ...describeCall(to, data), from, value: value.toString(), operation, isDeferred }
  if (container === undefined) return { ...described, calls: [] }
  if (depth >= MAX_DEPTH) return { ...described, calls: [], problem: 'too_deep' }
  const found = container.read(new Arguments(data.slice(10)), { ...call, operation })
  const calls: DecodedCall[] = []
  const isQueued = isDeferred || DEFERRING.test(container.signature)
  for (const inner of found.calls) {
    if (budget.calls <= 0 || budget.digits <= 0) return { ...described, calls, problem: 'too_many' }
    calls.push(decode(inner, isQueued, depth + 1, budget))
  }
  return { ...described, calls, ...(found.problem === undefined ? {} : { problem: found.problem }) }
}

type Found = { readonly calls: Iterable<Call>; readonly problem?: CallProblem }
type Reader = (args: Arguments, call: Required<Call>) => Found

const MALFORMED: Found = { calls: [], problem: 'malformed' }
const WORD = 64

/** The arguments of a call. Positions count words, all other sizes count hex digits. */
class Arguments {
  readonly hex: string
  constructor(hex: string) {
    this.hex = hex
  }
  uint(position: number, base = 0): bigint {
    const at = base + position * WORD
    return BigInt(`0x${this.hex.slice(at, at + WORD).padEnd(WORD, '0')}`)
  }
  address(position: number, base = 0): Hex {
    return addressOf(this.uint(position, base))
  }
  operation(position: number): Operation {
    return (this.uint(position) & 0xffn) === 1n ? 'delegatecall' : 'call'
  }
  /** The position that an offset refers to. Undefined outside the calldata. */
  pointer(position: number, base = 0): number | undefined {
    const offset = this.uint(position, base)
    const at = base + Number(offset) * 2
    return offset <= 0xffff_ffffn && at < this.hex.length ? at : undefined
  }
  bytesAt(at: number | undefined): Hex | undefined {
    if (at === undefined) return undefined
    const size = this.uint(0, at)
    const start = at + WORD
    return size <= 0xffff_ffffn && start + Number(size) * 2 <= this.hex.length
      ? `0x${this.hex.slice(start, start + Number(size) * 2)}`
      : undefined
  }
  bytes(position: number, base = 0): Hex | undefined {
    return this.bytesAt(this.pointer(position, base))
  }
  /** Where the entries of a list begin, and their number. */
  list(position: number): { readonly base: number; readonly count: number } | undefined {
    const at = this.pointer(position)
    if (at === undefined) return undefined
    const count = this.uint(0, at)
    const base = at + WORD
    return count * BigInt(WORD) <= BigInt(this.hex.length - base) ? { base, count: Number(count) } : undefined
  }
}

const addressOf = (word: bigint): Hex => `0x${(word & ((1n << 160n) - 1n)).toString(16).padStart(40, '0')}`

/** A function with a target, a value and data, at these positions. */
function single(at: {
  readonly to: number
  readonly value?: number
  readonly data: number
  readonly operation?: number
}): Reader {
  return (args, { to }) => {
    const data = args.bytes(at.data)
    if (data === undefined) return MALFORMED
    const value = at.value === undefined ? 0n : args.uint(at.value)
    const operation = at.operation === undefined ? 'call' : args.operation(at.operation)
    return { calls: [{ from: to, to: args.address(at.to), value, data, operation }] }
  }
}

/** Lists of targets, values and data. Lists of different lengths are refused on the chain. */
function columns(at: {
  readonly to: number
  readonly value?: number
  readonly data: number
  readonly signature?: number
}): Reader {
  return (args, { to: from }) => {
    const [targets, datas] = [args.list(at.to), args.list(at.data)]
    const values = at.value === undefined ? undefined : args.list(at.value)
    const signatures = at.signature === undefined ? undefined : args.list(at.signature)
    if (targets === undefined || datas === undefined || targets.count !== datas.count) return MALFORMED
    const calls: Call[] = []
    for (let index = 0; index < targets.count; index += 1) {
      const data = args.bytes(index, datas.base)
      const signature = signatures === undefined ? '0x' : args.bytes(index, signatures.base)
      if (data === undefined || signature === undefined) return { calls, problem: 'malformed' }
      const value = values === undefined || index >= values.count ? 0n : args.uint(index, values.base)
      calls.push({ from, to: args.address(index, targets.base), value, data: named(signature, data) })
    }
    return { calls }
  }
}

/** Timelocks and governors of the Compound family pass the signature apart from the arguments. */
function named(signature: Hex, data: Hex): Hex {
  return signature === '0x' ? data : `${keccak256(signature).slice(0, 10) as Hex}${data.slice(2)}`
}

/** A list of structures with a target, data, and a value if there is one. */
function structures(
  position: number,
  at: { readonly to: number; readonly value?: number; readonly data: number },
): Reader {
  return (args, { to: from }) => structuresIn(args, position, at, from)
}

function structuresIn(
  args: Arguments,
  position: number,
  at: { readonly to: number; readonly value?: number; readonly data: number },
  from: Hex,
): Found {
  const list = args.list(position)
  if (list === undefined) return MALFORMED
  const calls: Call[] = []
  for (let index = 0; index < list.count; index += 1) {
    const base = args.pointer(index, list.base)
    const data = base === undefined ? undefined : args.bytes(at.data, base)
    if (base === undefined || data === undefined) return { calls, problem: 'malformed' }
    const value = at.value === undefined ? 0n : args.uint(at.value, base)
    calls.push({ from, to: args.address(at.to, base), value, data })
  }
  return { calls }
}

/** Compound: target, value, signature, data. */
const signedByName: Reader = (args, { to: from }) => {
  const [signature, data] = [args.bytes(2), args.bytes(3)]
  if (signature === undefined || data === undefined) return MALFORMED
  return { calls: [{ from, to: args.address(0), value: args.uint(1), data: named(signature, data) }] }
}

/** The calls are made to the contract itself, for the same sender. */
const toItself: Reader = (args, { from, to }) => {
  const list = args.list(0)
  if (list === undefined) return MALFORMED
  const calls: Call[] = []
  for (let index = 0; index < list.count; index += 1) {
    const data = args.bytes(index, list.base)
    if (data === undefined) return { calls, problem: 'malformed' }
    calls.push({ from, to, value: 0n, data })
  }
  return { calls }
}

/** The new logic is called with the storage of the contract. */
function migration(at: { readonly proxy?: number; readonly to: number; readonly data: number }): Reader {
  return (args, { to }) => {
    const data = args.bytes(at.data)
    if (data === undefined) return MALFORMED
    const from = at.proxy === undefined ? to : args.address(at.proxy)
    return {
      calls: data === '0x' ? [] : [{ from, to: args.address(at.to), value: 0n, data, operation: 'delegatecall' }],
    }
  }
}

/** ERC-7821. The zero address means the account itself. */
const account: Reader = (args, { to: from }) => {
  const executionData = args.bytes(1)
  if (executionData === undefined) return MALFORMED
  const found = structuresIn(new Arguments(executionData.slice(2)), 0, { to: 0, value: 1, data: 2 }, from)
  const isZero = (address: Hex): boolean => BigInt(address) === 0n
  return { ...found, calls: [...found.calls].map((call) => (isZero(call.to) ? { ...call, to: from } : call)) }
}

/** The setup of a Safe may run code with the rights of the Safe. */
const setup: Reader = (args, { to: from }) => {
  const [to, data] = [args.address(2), args.bytes(3)]
  if (data === undefined) return MALFORMED
  return { calls: BigInt(to) === 0n ? [] : [{ from, to, value: 0n, data, operation: 'delegatecall' }] }
}

/** The allowance module makes the Safe transfer a token, or its native coin for the zero address. */
const allowance: Reader = (args) => {
  const [from, token, to, amount] = [args.address(0), args.address(1), args.address(2), args.uint(3)]
  if (BigInt(token) === 0n) return { calls: [{ from, to, value: amount, data: '0x' }] }
  const [toWord, amountWord] = [BigInt(to), amount].map((word) => word.toString(16).padStart(WORD, '0'))
  return { calls: [{ from, to: token, value: 0n, data: `0xa9059cbb${toWord}${amountWord}` }] }
}

/**
 * A batch runs with the rights of its caller if it is delegated to, and as the library otherwise. What the libraries of both forms
 * would execute is listed twice: the calldata does not show which library it is.
 */
const multiSend: Reader = (args, { from, to, operation }) => {
  const transactions = args.bytes(0)
  if (transactions === undefined) return MALFORMED
  const sender = operation === 'delegatecall' ? from : to
  const batch = new Arguments(transactions.slice(2))
  const [packed, padded] = [packedEntries(batch, sender), paddedEntries(batch, sender)]
  if (padded.hasReverted || padded.calls.length === 0) return packed
  return packed.hasReverted ? padded : { calls: [...packed.calls, ...padded.calls], problem: 'ambiguous' }
}

/** `hasReverted`: an entry makes the library revert the whole batch. */
type Batch = { readonly calls: readonly Call[]; readonly problem?: CallProblem; readonly hasReverted: boolean }

type Entry = Pick<Call, 'to' | 'value'> & {
  readonly operation: bigint
  readonly size: bigint
  /** Where the data begins. */
  readonly start: number
}

/** `after`: where the next entry begins. */
function entriesOf(
  batch: Arguments,
  from: Hex,
  read: (at: number) => Entry,
  after: (entry: Entry, end: number) => number,
): Batch {
  const calls: Call[] = []
  let at = 0
  while (isExecuted(batch, at)) {
    const entry = read(at)
    const { to, value, operation, size, start } = entry
    // Another operation fails, and so does a size beyond any memory.
    if (operation > 1n || size > MAX_DATA) return { calls, problem: 'malformed', hasReverted: true }
    // The data is in memory, with zeros after the end.
    const end = start + Number(size) * 2
    const data: Hex = `0x${batch.hex.slice(start, end).padEnd(Math.min(end - start, batch.hex.length), '0')}`
    calls.push({ from, to, value, data, operation: operation === 1n ? 'delegatecall' : 'call' })
    at = after(entry, end)
  }
  const isCutOff = at > batch.hex.length
  return { calls, ...(isCutOff && { problem: 'malformed' as const }), hasReverted: false }
}

/** Releases since 1.1.0: operation (1 byte), address (20), value (32), length of the data (32), data. */
const packedEntries = (batch: Arguments, from: Hex): Batch =>
  entriesOf(
    batch,
    from,
    (at) => {
      const [to, size] = [addressOf(batch.uint(0, at + 2) >> 96n), batch.uint(0, at + 106)]
      return {
        operation: batch.uint(0, at) >> 248n,
        // Releases since 1.5.0 replace the zero address by the sender. Earlier ones call the zero address, which does nothing.
        to: BigInt(to) === 0n && size > 0n ? from : to,
        value: batch.uint(0, at + 42),
        size,
        start: at + 170,
      }
    },
    (_, end) => end,
  )

/** Release 1.0.0: operation, address, value, a word that is ignored, length of the data in a word each, then the data in words. */
const paddedEntries = (batch: Arguments, from: Hex): Batch =>
  entriesOf(
    batch,
    from,
    (at) => ({
      operation: batch.uint(0, at),
      to: batch.address(1, at),
      value: batch.uint(2, at),
      size: batch.uint(4, at),
      start: at + 5 * WORD,
    }),
    ({ start, size }) => start + Math.ceil(Number(size) / 32) * WORD,
  )

/** The loop of every release ends 32 bytes before the end of the batch: a shorter rest is not executed. */
const isExecuted = (batch: Arguments, at: number): boolean => at + WORD < batch.hex.length
const MAX_DATA = 16n * 1_048_576n

/** By signature. */
const CONTAINERS: Readonly<Record<string, Reader>> = {
  'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)': single({
    to: 0,
    value: 1,
    data: 2,
    operation: 3,
  }),
  'execTransactionFromModule(address,uint256,bytes,uint8)': single({ to: 0, value: 1, data: 2, operation: 3 }),
  'execTransactionFromModuleReturnData(address,uint256,bytes,uint8)': single({
    to: 0,
    value: 1,
    data: 2,
    operation: 3,
  }),
  'execTransactionWithRole(address,uint256,bytes,uint8,uint16,bool)': single({
    to: 0,
    value: 1,
    data: 2,
    operation: 3,
  }),
  'execTransactionWithRole(address,uint256,bytes,uint8,bytes32,bool)': single({
    to: 0,
    value: 1,
    data: 2,
    operation: 3,
  }),
  'execTransactionWithRoleReturnData(address,uint256,bytes,uint8,uint16,bool)': single({
    to: 0,
    value: 1,
    data: 2,
    operation: 3,
  }),
  'execTransactionWithRoleReturnData(address,uint256,bytes,uint8,bytes32,bool)': single({
    to: 0,
    value: 1,
    data: 2,
    operation: 3,
  }),
  'executeAllowanceTransfer(address,address,address,uint96,address,uint96,address,bytes)': allowance,
  'executeNextTx(address,uint256,bytes,uint8)': single({ to: 0, value: 1, data: 2, operation: 3 }),
  'setup(address[],uint256,address,bytes,address,address,uint256,address)': setup,
  'multiSend(bytes)': multiSend,
  'multicall(bytes[])': toItself,
  'upgradeToAndCall(address,bytes)': migration({ to: 0, data: 1 }),
  'upgradeAndCall(address,address,bytes)': migration({ proxy: 0, to: 1, data: 2 }),
  'schedule(address,uint256,bytes,bytes32,bytes32,uint256)': single({ to: 0, value: 1, data: 2 }),
  'execute(address,uint256,bytes,bytes32,bytes32)': single({ to: 0, value: 1, data: 2 }),
  'scheduleBatch(address[],uint256[],bytes[],bytes32,bytes32,uint256)': columns({ to: 0, value: 1, data: 2 }),
  'executeBatch(address[],uint256[],bytes[],bytes32,bytes32)': columns({ to: 0, value: 1, data: 2 }),
  'queueTransaction(address,uint256,string,bytes,uint256)': signedByName,
  'executeTransaction(address,uint256,string,bytes,uint256)': signedByName,
  'propose(address[],uint256[],bytes[],string)': columns({ to: 0, value: 1, data: 2 }),
  'queue(address[],uint256[],bytes[],bytes32)': columns({ to: 0, value: 1, data: 2 }),
  'execute(address[],uint256[],bytes[],bytes32)': columns({ to: 0, value: 1, data: 2 }),
  'propose(address[],uint256[],string[],bytes[],string)': columns({ to: 0, value: 1, signature: 2, data: 3 }),
  'schedule(address,bytes,uint48)': single({ to: 0, data: 1 }),
  'execute(address,bytes)': single({ to: 0, data: 1 }),
  'execute(address,uint256,bytes)': single({ to: 0, value: 1, data: 2 }),
  'submitTransaction(address,uint256,bytes)': single({ to: 0, value: 1, data: 2 }),
  'executeUserOp(address,uint256,bytes,uint8)': single({ to: 0, value: 1, data: 2, operation: 3 }),
  'executeUserOpWithErrorString(address,uint256,bytes,uint8)': single({ to: 0, value: 1, data: 2, operation: 3 }),
  'handleOps((address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)[],address)': structures(
    0,
    {
      to: 0,
      data: 3,
    },
  ),
  'handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[],address)': structures(0, {
    to: 0,
    data: 3,
  }),
  'executeBatch(address[],bytes[])': columns({ to: 0, data: 1 }),
  'executeBatch(address[],uint256[],bytes[])': columns({ to: 0, value: 1, data: 2 }),
  'executeBatch((address,uint256,bytes)[])': structures(0, { to: 0, value: 1, data: 2 }),
  'execute(bytes32,bytes)': account,
  'aggregate((address,bytes)[])': structures(0, { to: 0, data: 1 }),
  'aggregate3((address,bool,bytes)[])': structures(0, { to: 0, data: 2 }),
  'aggregate3Value((address,bool,uint256,bytes)[])': structures(0, { to: 0, value: 2, data: 3 }),
  'tryAggregate(bool,(address,bytes)[])': structures(1, { to: 0, data: 1 }),
}

/** Functions that queue calls for later. */
const DEFERRING = /^(?:schedule|scheduleBatch|queueTransaction|propose|queue|submitTransaction)\(/

/** By selector. */
const READERS: ReadonlyMap<string, { readonly signature: string; readonly read: Reader }> = new Map(
  Object.entries(CONTAINERS).map(([signature, read]) => [toFunctionSelector(signature), { signature, read }]),
)
