/** Checks of a coin chain's node, block files and ZMQ publisher, for `gatewatch doctor`. */
import { createConnection } from 'node:net'
import { reasonOf } from '../../lib/errors.ts'
import { type CheckResult, failed, passed, warning } from '../../platform/checks/check-result.ts'
import { connectSource, REQUEST_TIMEOUT_MS, type SourceOptions } from './connect-source.ts'
import { hostnameOf } from './core-rpc.ts'

export async function checkSource(options: SourceOptions): Promise<CheckResult> {
  const about = `${options.chain} ${options.rpcUrl === undefined ? 'block files' : (URL.parse(options.rpcUrl)?.host ?? '')}`
  const variable = `${options.chain.toUpperCase()}_${options.rpcUrl === undefined ? 'BLOCKS_DIR' : 'RPC_URL'}`
  try {
    const { network, source, node, name, close } = await connectSource({ timeoutMs: REQUEST_TIMEOUT_MS, ...options })
    try {
      const tip = await source.getTip()
      const summary = `${name}, ${network.name}, height ${tip.height}.`
      if (node === undefined)
        return warning(about, summary, 'Block files have no mempool and no fees. Configure a node too.')
      const info = await node.getChainInfo()
      if (info.initialblockdownload)
        return warning(
          about,
          `${summary} It is still downloading the chain.`,
          'Coin data is served when the download is complete.',
        )
      if (info.pruned === true)
        return failed(about, `${summary} It is pruned.`, 'The index needs every block. Run the node without prune.')
      return node.features.rest
        ? passed(about, `${summary} REST is on.`)
        : warning(about, `${summary} REST is off.`, 'Set rest=1 in its configuration for a faster initial sync.')
    } finally {
      await close()
    }
  } catch (error) {
    return failed(about, reasonOf(error), `Check ${variable}.`)
  }
}

const CONNECT_MS = 5_000

export async function checkZmq(chain: string, url: string): Promise<CheckResult> {
  const about = `${chain} zmq ${url}`
  const parsed = new URL(url)
  const { protocol, port } = parsed
  if (protocol !== 'tcp:') return passed(about, 'A local socket. Not tested.')
  return await new Promise((resolve) => {
    const socket = createConnection({ host: hostnameOf(parsed), port: Number(port), timeout: CONNECT_MS })
    const end = (result: CheckResult): void => {
      socket.destroy()
      resolve(result)
    }
    const advice = `Check ${chain.toUpperCase()}_ZMQ_URL and the node's zmqpub settings; without ZMQ the node is polled for new blocks.`
    socket.once('connect', () => end(passed(about, 'It accepts connections.')))
    socket.once('timeout', () => end(warning(about, 'It does not respond.', advice)))
    socket.once('error', (error) => end(warning(about, `${reasonOf(error)}.`, advice)))
  })
}
