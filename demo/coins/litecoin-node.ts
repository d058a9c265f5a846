/** A real Litecoin node on regtest, on a leash, that can be stopped and started again on its data. */
import { existsSync, mkdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { type CoreRpc, createCoreRpc } from '../../server/src/coins/node/core-rpc.ts'
import { freePort } from '../../testing/support/port.ts'
import { cannotRun, startLeashed } from '../leash.ts'

/** The one on PATH may be Debian's wrapper, which writes to the home folder. */
const PROGRAMS = ['/usr/lib/litecoin/litecoind', '/usr/local/bin/litecoind', '/opt/homebrew/bin/litecoind']
const program = PROGRAMS.find((path) => existsSync(path))

/** Why there is no Litecoin here, or false. */
export const litecoinMissing = (): string | false =>
  program === undefined
    ? 'litecoind is not installed (Debian: apt-get install litecoind)'
    : cannotRun('litecoind', { command: program, args: ['-version'] })

export type Ask = <T = unknown>(method: string, ...params: readonly unknown[]) => Promise<T>

export type LitecoinNode = {
  readonly url: string
  readonly ask: Ask
  /** Of a wallet that was created. */
  readonly wallet: (name: string) => Ask
  /** Ends in order, as for an upgrade, and comes back with the wallets named. It waits for idle connections: half a minute. */
  readonly restart: (wallets: readonly string[]) => Promise<void>
  readonly stop: () => Promise<void>
}

export async function startLitecoinNode(folder: string): Promise<LitecoinNode> {
  if (program === undefined) throw new Error('litecoind is not installed')
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const options = {
    datadir: folder,
    rpcport: port,
    rpcuser: 'demo',
    rpcpassword: 'demo',
    server: 1,
    listen: 0,
    dnsseed: 0,
    rest: 1,
    fallbackfee: 0.0001,
    keypool: 10,
    mintxfee: 0.00001,
    // What pays less stays in the mempool for good, which is so never empty.
    blockmintxfee: 0.00003,
  }
  const args = ['-regtest', ...Object.entries(options).map(([name, value]) => `-${name}=${value}`)]
  const url = `http://demo:demo@127.0.0.1:${port}`
  const opened: CoreRpc[] = []
  const askerOf = (path: string): Ask => {
    const rpc = createCoreRpc({ url: url + path })
    opened.push(rpc)
    return async <T>(method: string, ...params: readonly unknown[]) =>
      (await rpc.call(method, params, z.unknown())) as T
  }
  const ask = askerOf('')
  const start = async () => {
    const child = startLeashed(program, args)
    while ((await ask('getblockcount').catch(() => undefined)) === undefined) {
      if (child.hasEnded()) throw new Error('litecoind ended before it was ready')
      await pause(50)
    }
    return child
  }
  let child = await start()
  return {
    url,
    ask,
    wallet: (name) => askerOf(`/wallet/${name}`),
    restart: async (wallets) => {
      await ask('stop')
      await child.ended
      child = await start()
      for (const name of wallets) await ask('loadwallet', name)
    },
    stop: async () => {
      await child.stop()
      for (const rpc of opened) rpc.close()
    },
  }
}
