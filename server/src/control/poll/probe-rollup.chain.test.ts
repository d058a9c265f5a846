/** A contract on a rollup that is controlled from the chain below it, and the command that shows it. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { compileContracts, openZeppelin5, safeContract } from '../../../../testing/evm/compile.ts'
import { evmOf } from '../../../../testing/evm/evm.ts'
import { aliasOf } from '../chains/chains.ts'

const run = promisify(execFile)
const COMMAND = join(import.meta.dirname, '..', '..', '..', 'bin', 'gatewatch.mjs')
const person = (n: number): Hex => `0x${(0xabc000 + n).toString(16).padStart(40, '0')}`

test('an alias leads to the parent chain, an account without one is a single key', { skip: anvilMissing }, async () => {
  const [below, above] = [await anvilForTests(1), await anvilForTests(8453)]
  const [lower, upper] = [await evmOf(below), await evmOf(above)]
  const singleton = await lower.deploy(safeContract('1.4.1', 'SafeL2'))
  const factory = await lower.deploy(safeContract('1.4.1', 'proxies/SafeProxyFactory'))
  const owners = [person(1), person(2), person(3)]
  const setup = encodeFunctionData({
    abi: singleton.abi,
    functionName: 'setup',
    args: [owners, 2n, zeroAddress, '0x', zeroAddress, zeroAddress, 0n, zeroAddress],
  })
  const made = [singleton.address, setup, 1n]
  const safe: Hex = `0x${(await lower.read(factory, 'createProxyWithNonce', made)).slice(-40)}`
  await lower.send(factory, 'createProxyWithNonce', made)

  const plain = compileContracts().Plain
  assert.ok(plain)
  const start = encodeFunctionData({ abi: plain.abi, functionName: 'set', args: [1n] })
  const logic = await upper.deploy(plain)
  const proxyOf = async (owner: Hex) =>
    (await upper.deploy(openZeppelin5('TransparentUpgradeableProxy'), logic.address, owner, start)).address
  const [aliased, held] = [await proxyOf(aliasOf(safe)), await proxyOf(person(9))]
  const manager = await lower.deploy(openZeppelin5('AccessManager'), safe)
  const managed = await proxyOf(aliasOf(manager.address))

  const probe = async (address: Hex, ethereum: string, ...more: readonly string[]): Promise<string> => {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ETHEREUM_RPC_URL: ethereum }
    const { stdout } = await run(process.execPath, [COMMAND, 'probe', 'base', address, '--rpc', above.url, ...more], {
      env,
    })
    return stdout
  }
  const shown = await probe(aliased, below.url)
  assert.match(
    shown,
    /^0x\w{40} on Base at block \d+\nMultisig, no delay \(multisig, amber\)\nKind: proxy_transparent\n/,
  )
  assert.match(shown, new RegExp(`The L1 contract behind the alias: Safe ${safe} \\(2 of 3, version 1.4.1\\)`))
  assert.match(shown, /signer: 0x\w{40}, an EOA/)
  const result = JSON.parse(await probe(held, below.url, '--json')) as {
    label: string
    chain: object
    tree: object
    stale: boolean
  }
  assert.deepEqual([result.label, result.chain, result.stale], ['single_key', { id: 8453, slug: 'base' }, false])
  // Which accounts it lets use a bridge depends on functions of contracts that are on no path.
  assert.match(await probe(managed, below.url), /^Not determined \(unknown, grey\)$/m)
  // Whether the owner is a contract over there cannot be determined without its chain.
  const undetermined = await probe(held, '')
  assert.match(undetermined, /^Not determined \(unknown, grey, stale\)$/m)
  assert.match(undetermined, /\(no endpoint of Ethereum responds\)/)
})
