/** A check of a coin chain's node or block files before they are relied on. */
import { createConnection } from 'node:net'
import { reasonOf } from '../../lib/errors.ts'
import { bad, doubtful, type Finding, good } from '../../lib/finding.ts'
import { bareHost } from './bare-host.ts'
import { connectSource, REQUEST_TIMEOUT_MS, type SourceOptions } from './connect-source.ts'

export async function checkSource(options: SourceOptions): Promise<Finding> {
  const about = `${options.chain} ${options.rpcUrl === undefined ? 'block files' : (URL.parse(options.rpcUrl)?.host ?? '')}`
  const variable = `${options.chain.toUpperCase()}_${options.rpcUrl === undefined ? 'BLOCKS_DIR' : 'RPC_URL'}`
  try {
    const { network, source, node, name, close } = await connectSource({ timeoutMs: REQUEST_TIMEOUT_MS, ...options })
    try {
      const tip = await source.getTip()
      const seen = `${name}, ${network.name}, height ${tip.height}.`
      if (node === undefined) return doubtful(about, seen, `Files alone have no mempool and no fees: set a node too.`)
      const info = await node.getChainInfo()
      if (info.initialblockdownload)
        return doubtful(about, `${seen} It still downloads the chain.`, 'Answers begin when it is done.')
      if (info.pruned === true)
        return bad(about, `${seen} It is pruned.`, 'The index needs every block: run the node without prune.')
      return node.features.rest
        ? good(about, `${seen} REST is on.`)
        : doubtful(about, `${seen} REST is off.`, 'Set rest=1 in its configuration: synchronising is faster.')
    } finally {
      await close()
    }
  } catch (error) {
    return bad(about, reasonOf(error), `Check ${variable}.`)
  }
}

const CONNECT_MS = 5_000

export async function checkZmq(chain: string, url: string): Promise<Finding> {
  const about = `${chain} zmq ${url}`
  const parsed = new URL(url)
  const { protocol, port } = parsed
  if (protocol !== 'tcp:') return good(about, 'A local socket; not tried.')
  return await new Promise((resolve) => {
    const socket = createConnection({ host: bareHost(parsed), port: Number(port), timeout: CONNECT_MS })
    const end = (finding: Finding): void => {
      socket.destroy()
      resolve(finding)
    }
    const advice = `Check ${chain.toUpperCase()}_ZMQ_URL and the node's zmqpub settings; without it new blocks are polled for.`
    socket.once('connect', () => end(good(about, 'It listens.')))
    socket.once('timeout', () => end(doubtful(about, 'It does not answer.', advice)))
    socket.once('error', (error) => end(doubtful(about, `${reasonOf(error)}.`, advice)))
  })
}
