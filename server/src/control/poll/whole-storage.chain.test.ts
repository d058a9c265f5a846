/** Contracts on a real node whose storage is proven to hold what is listed alone, and others that hold more. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { concatHex, type Hex, keccak256, stringToHex, zeroAddress } from 'viem'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { type ControlContracts, controlContracts, FREE, signers, wordOf } from '../../../../testing/evm/control.ts'
import { type Evm, evmOf } from '../../../../testing/evm/evm.ts'
import type { Label } from '../../../../vocabulary/labels.ts'
import { reasonTexts } from '../../../../vocabulary/reasons.ts'
import { systemTiming } from '../../lib/clock.ts'
import { DEFAULT_POLICY } from '../rpc/endpoint-health.ts'
import { createRpcPool, type RpcPool } from '../rpc/pool.ts'
import { NoEndpointError, RpcError } from '../rpc/rpc-error.ts'
import { createCodeAnalyzer } from './code-analyzer.ts'
import { probe } from './probe.ts'
import { openSession } from './session.ts'

const options = anvilMissing === false ? {} : { skip: anvilMissing }
const node = anvilMissing === false ? await anvilForTests(1, FREE) : undefined
const evm = node === undefined ? (undefined as unknown as Evm) : await evmOf(node)
const made = node === undefined ? (undefined as unknown as ControlContracts) : controlContracts(node, evm)
const { safe, timelock, uups, as, write } = made ?? {}
const FIVE = signers(5)
const SENTINEL: Hex = '0x0000000000000000000000000000000000000001'
const HASH = keccak256('0x01')

const codes = createCodeAnalyzer()
after(() => codes.close())
const policy = { ...DEFAULT_POLICY, rate: { start: 5_000, min: 5_000, max: 5_000 } }
const pool = createRpcPool(
  { timing: systemTiming, report: () => {} },
  { chain: 'ethereum', chainId: 1, urls: [node?.url ?? ''], policy },
)
/** The same node without `eth_getProof`. */
const withoutProofs: RpcPool = {
  ...pool,
  request: async (request, choice) => {
    if (request.method !== 'eth_getProof') return await pool.request(request, choice)
    throw new NoEndpointError('ethereum', 0, [new RpcError('node', 'unsupported', 'the method does not exist')])
  },
}

async function expect(address: Hex, label: Label, reason: RegExp, through = pool): Promise<void> {
  const session = openSession({ poolOf: () => through, codes, confirmationsOf: () => 0 })
  const { profile } = await probe({ session }, { chainId: 1, address })
  const reasons = reasonTexts(profile.reasons).join('\n')
  assert.equal(profile.label, label, reasons)
  assert.match(reasons, reason)
}

const entry = (table: number, key: Hex): Hex => keccak256(concatHex([wordOf(key), wordOf(table)]))

test('a Safe that was used stays a multisig', options, async () => {
  const used = await safe(3, FIVE)
  const self = used.address
  await as(self, used, 'addOwnerWithThreshold', signers(1, 30)[0], 3n)
  await as(self, used, 'removeOwner', signers(1, 30)[0], FIVE[0], 3n)
  await as(self, used, 'enableModule', signers(1, 31)[0])
  await as(self, used, 'disableModule', SENTINEL, signers(1, 31)[0])
  await as(FIVE[1] as Hex, used, 'approveHash', HASH)
  await expect(self, 'multisig', /of 5/)
})

test('a Safe with a module that no list shows is unknown', options, async () => {
  const hidden = await safe(3, FIVE)
  await write(hidden.address, entry(1, signers(1, 40)[0] as Hex), wordOf(1))
  await expect(hidden.address, 'unknown', /another owner, module or approval of it cannot be excluded/)
})

test('a Safe with a transaction that enough owners approved is unknown', options, async () => {
  const approved = await safe(2, FIVE)
  await as(FIVE[1] as Hex, approved, 'approveHash', HASH)
  await expect(approved.address, 'multisig', /2 of 5/)
  await as(FIVE[2] as Hex, approved, 'approveHash', HASH)
  await expect(approved.address, 'unknown', /any account may execute it/)
})

test('a Safe is unknown where no endpoint proves storage', options, async () => {
  await expect((await safe(3, FIVE)).address, 'unknown', /no endpoint supports eth_getProof/, withoutProofs)
})

const DAY = 86_400n
const PROPOSER = keccak256(stringToHex('PROPOSER_ROLE'))
const OPERATION = [zeroAddress, 0n, '0x', wordOf(0), wordOf(1)] as const
/** The entry of an account in a role. */
const inRole = (role: Hex, account: Hex): Hex =>
  keccak256(concatHex([wordOf(account), keccak256(concatHex([role, wordOf(0)]))]))
const council = async (): Promise<Hex> => (await safe(3, FIVE)).address

test('a timelock that was used stays a timelock', options, async () => {
  const proposer = await council()
  const lock = await timelock(2n * DAY, [proposer])
  await as(proposer, lock, 'schedule', ...OPERATION, 2n * DAY)
  await as(lock.address, lock, 'grantRole', PROPOSER, FIVE[0])
  await as(lock.address, lock, 'revokeRole', PROPOSER, FIVE[0])
  await expect(lock.address, 'timelocked', /48 h/)
})

test(
  'an operation that a former proposer left in the queue counts until it is executed or canceled',
  options,
  async () => {
    const [proposer, key] = [await council(), FIVE[4] as Hex]
    const lock = await timelock(2n * DAY, [proposer, key], [zeroAddress])
    const leave = async (account: Hex) => {
      for (const role of [PROPOSER, keccak256(stringToHex('CANCELLER_ROLE'))])
        await as(lock.address, lock, 'revokeRole', role, account)
    }
    await as(key, lock, 'schedule', ...OPERATION, 2n * DAY)
    await leave(key)
    await expect(lock.address, 'single_key', /[Ff]ormer proposer/)
    await as(proposer, lock, 'cancel', await evm.read(lock, 'hashOperation', [...OPERATION]))
    await expect(lock.address, 'timelocked', /48 h/)
    await as(proposer, lock, 'schedule', ...OPERATION, 2n * DAY)
    await expect(lock.address, 'timelocked', /48 h/)
    const reserved = await timelock(2n * DAY, [proposer, key], [proposer])
    await as(key, reserved, 'schedule', ...OPERATION, 2n * DAY)
    await as(reserved.address, reserved, 'revokeRole', PROPOSER, key)
    await expect(reserved.address, 'timelocked', /48 h/)
  },
)

test('a timelock with a proposer or an operation that no event reports is unknown', options, async () => {
  const proposer = await council()
  const silent = await timelock(2n * DAY, [proposer])
  await write(silent.address, inRole(PROPOSER, FIVE[0] as Hex), wordOf(1))
  await expect(silent.address, 'unknown', /entries in its lists or its queue that no event reports/)
  const queued = await timelock(2n * DAY, [proposer])
  await write(queued.address, entry(1, HASH), wordOf(2))
  await expect(queued.address, 'unknown', /entries in its lists or its queue that no event reports/)
})

test('a timelock with an operation that is due before its delay is unknown', options, async () => {
  const proposer = await council()
  const lock = await timelock(2n * DAY, [proposer])
  await as(proposer, lock, 'schedule', ...OPERATION, 2n * DAY)
  const id = await evm.read(lock, 'hashOperation', [...OPERATION])
  await write(lock.address, entry(1, id), wordOf(2))
  await expect(lock.address, 'unknown', /entries in its lists or its queue/)
})

test('roles of a contract with other tables are proven by the storage it was created with', options, async () => {
  const upgrader = (await timelock(2n * DAY, [await council()])).address
  const roled = await uups('RoledUups', upgrader, upgrader)
  await expect(roled.address, 'timelocked', /48 h/)
  // The node applies a direct write to the newest block too.
  await evm.mine()
  await write(roled.address, entry(300, FIVE[0] as Hex), wordOf(5))
  await expect(roled.address, 'timelocked', /48 h/)
})
