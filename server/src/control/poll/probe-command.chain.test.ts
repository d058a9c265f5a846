/** What a person reads who probes the wrong address, the wrong chain or the wrong node. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { controlContracts, eoa, FREE, signers } from '../../../../testing/evm/control.ts'
import { evmOf } from '../../../../testing/evm/evm.ts'
import { catalog } from '../../../../testing/evm/watching.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { testLog } from '../../../../testing/support/log.ts'
import { freePort } from '../../../../testing/support/port.ts'
import { systemTiming } from '../../lib/clock.ts'
import type { Hex } from '../../lib/hex.ts'
import { findChain } from '../chains/chains.ts'
import { createRpcPool } from '../rpc/pool.ts'
import { createCodeAnalyzer } from './code-analyzer.ts'
import { createPoller } from './poller.ts'
import { probeContract, whyProbeFailed } from './probe-command.ts'

const [ethereum, base] = [findChain('ethereum') ?? assert.fail(), findChain('base') ?? assert.fail()]
const empty = `0x${'ab'.repeat(20)}` as const

test('no contract, another chain, no endpoint: one sentence each', { skip: anvilMissing }, async () => {
  const { url } = await anvilForTests(1)
  const { lines } = await probeContract({ ethereum: [url] }, ethereum, empty)
  assert.deepEqual(lines, [
    `${empty} on Ethereum at block 0`,
    'There is no contract at this address. If the contract is on another chain, name that chain.',
  ])
  const why = (probing: Promise<unknown>) => probing.then(() => assert.fail('it was read'), whyProbeFailed)
  assert.match(await why(probeContract({ base: [url] }, base, empty)), /serves chain 1, not 8453 \(base\)/)
  const nowhere = `http://127.0.0.1:${await freePort()}/key-of-mine`
  const unreachable = await why(probeContract({ ethereum: [nowhere] }, ethereum, empty))
  assert.match(unreachable, /^The contract could not be read: .*cannot be reached/)
  assert.doesNotMatch(unreachable, /key-of-mine/)
})

type Call = { readonly id: number; readonly method: string }
type Answer = { readonly id: number; readonly result?: unknown }

/** An endpoint whose calls return one address wherever those of the node return another, which it also lets call as the latter. */
async function lyingEndpoint(nodeUrl: string, from: Hex, to: Hex): Promise<string> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await text(request)).replaceAll(`"from":"${to}"`, `"from":"${from}"`)
    const asked = [JSON.parse(body) as Call | Call[]].flat()
    const headers = { 'content-type': 'application/json' }
    const returned = await fetch(nodeUrl, { method: 'POST', headers, body })
    const falsified = ({ id, result, ...rest }: Answer) => {
      const isCall = asked.some((call) => call.id === id && call.method === 'eth_call')
      return { id, result: isCall ? String(result).replaceAll(from.slice(2), to.slice(2)) : result, ...rest }
    }
    const answers = (await returned.json()) as Answer | Answer[]
    response.writeHead(returned.status, headers)
    response.end(JSON.stringify(Array.isArray(answers) ? answers.map(falsified) : falsified(answers)))
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('an endpoint alone makes no label stronger, whichever is asked first', { skip: anvilMissing }, async () => {
  const node = await anvilForTests(1, FREE)
  const { safe, transparent5 } = controlContracts(node, await evmOf(node))
  const key = eoa(77)
  const council = (await safe(2, signers(3))).address
  const { address } = await transparent5(key)
  const liar = await lyingEndpoint(node.url, key, council)
  const labelBy = async (urls: readonly string[]) => {
    const { json } = await probeContract({ ethereum: urls }, ethereum, address)
    return (json as { readonly label: string }).label
  }
  assert.equal(await labelBy([liar]), 'multisig', 'the lie is believed where nothing else is asked')
  assert.equal(await labelBy([liar, node.url]), 'single_key')
  assert.equal(await labelBy([node.url, liar]), 'single_key')

  const { database } = await createTestDatabase()
  const codes = createCodeAnalyzer()
  const pool = createRpcPool(
    { timing: systemTiming, report: () => {} },
    { chain: 'ethereum', chainId: 1, urls: [liar, node.url] },
  )
  after(async () => {
    pool.close()
    await codes.close()
  })
  const poller = createPoller({ database, catalog, codes, log: testLog, poolOf: () => pool, confirmationsOf: () => 0 })
  const { profile } = await poller.poll({ chainId: 1, address })
  assert.equal(profile.label, 'single_key')
})
