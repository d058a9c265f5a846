/** A guarded Litecoin node on regtest that can be restarted on its data. */
import { existsSync, mkdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { type CoreRpc, createCoreRpc } from '../../server/src/coins/node/core-rpc.ts'
import { freePort } from '../../testing/support/port.ts'
import { runFailure, startGuarded } from '../process-guard.ts'

/** Debian's litecoind on the PATH is a wrapper that writes to the home folder. */
const PROGRAMS = ['/usr/lib/litecoin/litecoind', '/usr/local/bin/litecoind', '/opt/homebrew/bin/litecoind']
const program = PROGRAMS.find((path) => existsSync(path))

/** Why Litecoin cannot run on this machine, or false. */
export const litecoinMissing = (): string | false =>
  program === undefined
    ? 'litecoind is not installed (Debian: apt-get install litecoind)'
    : runFailure('litecoind', { command: program, args: ['-version'] })

export type RpcCall = <T = unknown>(method: string, ...params: readonly unknown[]) => Promise<T>

export type LitecoinNode = {
  readonly url: string
  readonly call: RpcCall
  /** RPC calls of an existing wallet. */
  readonly wallet: (name: string) => RpcCall
  /** Stops the node in order and starts it with these wallets. Takes half a minute, because it waits for idle connections. */
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
    // Cheaper transactions stay in the mempool, so that it is never empty.
    blockmintxfee: 0.00003,
  }
  const args = ['-regtest', ...Object.entries(options).map(([name, value]) => `-${name}=${value}`)]
  const url = `http://demo:demo@127.0.0.1:${port}`
  const opened: CoreRpc[] = []
  const callerOf = (path: string): RpcCall => {
    const rpc = createCoreRpc({ url: url + path })
    opened.push(rpc)
    return async <T>(method: string, ...params: readonly unknown[]) =>
      (await rpc.call(method, params, z.unknown())) as T
  }
  const call = callerOf('')
  const start = async () => {
    const child = startGuarded(program, args)
    while ((await call('getblockcount').catch(() => undefined)) === undefined) {
      if (child.hasEnded()) throw new Error('litecoind exited before it was ready')
      await pause(50)
    }
    return child
  }
  let child = await start()
  return {
    url,
    call,
    wallet: (name) => callerOf(`/wallet/${name}`),
    restart: async (wallets) => {
      await call('stop')
      await child.ended
      child = await start()
      for (const name of wallets) await call('loadwallet', name)
    },
    stop: async () => {
      await child.stop()
      for (const rpc of opened) rpc.close()
    },
  }
}
