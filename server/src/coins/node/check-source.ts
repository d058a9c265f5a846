/** Checks of a coin chain's node, block files and ZMQ publisher, for `gatewatch doctor`. */
import { createConnection } from 'node:net'
import { reasonOf } from '../../lib/errors.ts'
import { bad, doubtful, type Finding, good } from '../../lib/finding.ts'
import { connectSource, REQUEST_TIMEOUT_MS, type SourceOptions } from './connect-source.ts'
import { hostnameOf } from './core-rpc.ts'

export async function checkSource(options: SourceOptions): Promise<Finding> {
  const about = `${options.chain} ${options.rpcUrl === undefined ? 'block files' : (URL.parse(options.rpcUrl)?.host ?? '')}`
  const variable = `${options.chain.toUpperCase()}_${options.rpcUrl === undefined ? 'BLOCKS_DIR' : 'RPC_URL'}`
  try {
    const { network, source, node, name, close } = await connectSource({ timeoutMs: REQUEST_TIMEOUT_MS, ...options })
    try {
      const tip = await source.getTip()
      const summary = `${name}, ${network.name}, height ${tip.height}.`
      if (node === undefined)
        return doubtful(about, summary, 'Block files have no mempool and no fees. Configure a node too.')
      const info = await node.getChainInfo()
      if (info.initialblockdownload)
        return doubtful(
          about,
          `${summary} It is still downloading the chain.`,
          'Coin data is served when the download is complete.',
        )
      if (info.pruned === true)
        return bad(about, `${summary} It is pruned.`, 'The index needs every block. Run the node without prune.')
      return node.features.rest
        ? good(about, `${summary} REST is on.`)
        : doubtful(about, `${summary} REST is off.`, 'Set rest=1 in its configuration for a faster initial sync.')
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
  if (protocol !== 'tcp:') return good(about, 'A local socket. Not tested.')
  return await new Promise((resolve) => {
    const socket = createConnection({ host: hostnameOf(parsed), port: Number(port), timeout: CONNECT_MS })
    const end = (finding: Finding): void => {
      socket.destroy()
      resolve(finding)
    }
    const advice = `Check ${chain.toUpperCase()}_ZMQ_URL and the node's zmqpub settings; without ZMQ the node is polled for new blocks.`
    socket.once('connect', () => end(good(about, 'It accepts connections.')))
    socket.once('timeout', () => end(doubtful(about, 'It does not respond.', advice)))
    socket.once('error', (error) => end(doubtful(about, `${reasonOf(error)}.`, advice)))
  })
}
