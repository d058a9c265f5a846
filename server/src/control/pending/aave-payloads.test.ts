import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi, parseAbiParameters, zeroHash } from 'viem'
import { payloadsIn, readProposalCalls } from './aave-payloads.ts'

const addressOf = (n: number): Hex => `0x${n.toString(16).padStart(40, '0')}`
const [GOVERNANCE, CONTROLLER, TOKEN] = [addressOf(1), addressOf(2), addressOf(3)]

const proposalOf = (...chains: readonly number[]): Hex =>
  encodeAbiParameters(
    parseAbiParameters(
      '(uint8, uint8, uint40, uint24, uint40, uint40, uint40, address, address, bytes32, bytes32, uint128, uint128, uint256, (uint256 chain, uint8 level, address controller, uint40 id)[])',
    ),
    [
      [
        1,
        1,
        0,
        0,
        0,
        0,
        0,
        GOVERNANCE,
        GOVERNANCE,
        zeroHash,
        zeroHash,
        0n,
        0n,
        0n,
        chains.map((chain, at) => ({
          chain: BigInt(chain),
          level: 1,
          controller: CONTROLLER,
          id: 40 + at,
        })),
      ],
    ],
  )

const give = encodeFunctionData({ abi: parseAbi(['function transferOwnership(address)']), args: [addressOf(66)] })
const payload = encodeAbiParameters(
  parseAbiParameters(
    '(address, uint8, uint8, uint40, uint40, uint40, uint40, uint40, uint40, uint40, (address target, bool withDelegateCall, uint8 level, uint256 value, string signature, bytes callData)[])',
  ),
  [
    [
      GOVERNANCE,
      1,
      1,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      [{ target: TOKEN, withDelegateCall: false, level: 1, value: 0n, signature: '', callData: give }],
    ],
  ],
)

test('the calls of payloads are read on their chains, and a chain that is not configured is named', async () => {
  const requests: number[] = []
  const read = (chainId: number, to: Hex) => {
    requests.push(chainId)
    if (to === GOVERNANCE) return Promise.resolve(proposalOf(1, 137, 43_114))
    return Promise.resolve(chainId === 43_114 ? undefined : payload)
  }
  const calls = await readProposalCalls(read, { chainId: 1, address: GOVERNANCE, operation: '9' })
  assert.deepEqual(
    calls?.map(({ chainId, args, problem, calls: inner }) => [chainId, args?.[0], problem, inner?.[0]?.signature]),
    [
      [undefined, '40', undefined, 'transferOwnership(address)'],
      [137, '41', undefined, 'transferOwnership(address)'],
      [43_114, '42', 'unread', undefined],
    ],
  )
  assert.deepEqual(
    requests.toSorted((a, b) => a - b),
    [1, 1, 137, 43_114],
  )
})

test('what is not a proposal of version 3 has no payloads', async () => {
  const cut = proposalOf(1, 137).slice(0, -64) as Hex
  for (const result of ['0x', zeroHash, cut, `0x${'ff'.repeat(1_000)}`] as const)
    assert.equal(payloadsIn(result), undefined)
  assert.deepEqual(payloadsIn(proposalOf()), [])
  const none = () => Promise.reject(new Error('called'))
  assert.equal(await readProposalCalls(none, { chainId: 1, address: GOVERNANCE, operation: '0xff' }), undefined)
})
