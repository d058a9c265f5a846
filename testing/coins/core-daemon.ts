/** Starts a real Core node on a local network for one test file, with its own folder and free ports. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { type CoreRpc, createCoreRpc } from '../../server/src/coins/node/core-rpc.ts'
import { NodeRpcError, NodeUnreachableError } from '../../server/src/coins/node/node-errors.ts'
import { freePort } from '../support/port.ts'

export type CoreDaemon = {
  readonly url: string
  readonly folder: string
  /** The folder of its block files. */
  readonly blocksFolder: string
  readonly rpc: CoreRpc
  readonly call: <T = unknown>(method: string, ...params: unknown[]) => Promise<T>
  readonly wallet: (name: string) => <T = unknown>(method: string, ...params: unknown[]) => Promise<T>
  readonly stop: () => Promise<void>
  /** Starts it again after `stop`, with additional options for this start only. */
  readonly start: (once?: readonly string[]) => Promise<void>
  /** Stops it and deletes its folder. */
  readonly remove: () => Promise<void>
}

/** Calls of the node at a URL. */
export function coreClient(url: string): Pick<CoreDaemon, 'url' | 'rpc' | 'call' | 'wallet'> & { close: () => void } {
  const rpc = createCoreRpc({ url })
  const opened = [rpc]
  const callOf =
    (client: CoreRpc): CoreDaemon['call'] =>
    async <T>(method: string, ...params: unknown[]): Promise<T> =>
      (await client.call(method, params, z.unknown())) as T
  return {
    url,
    rpc,
    call: callOf(rpc),
    wallet: (name) => {
      const own = createCoreRpc({ url: `${url}/wallet/${name}` })
      opened.push(own)
      return callOf(own)
    },
    close: () => {
      for (const client of opened) client.close()
    },
  }
}

export async function startCoreDaemon(program: string, options: readonly string[]): Promise<CoreDaemon> {
  const folder = mkdtempSync(join(tmpdir(), 'gatewatch-node-'))
  const port = await freePort()
  const url = `http://user:p%40ss@127.0.0.1:${port}`
  const { close, ...client } = coreClient(url)
  const { rpc } = client
  let child: ChildProcess | undefined

  async function start(once: readonly string[] = []): Promise<void> {
    const started = spawn(
      program,
      [
        '-regtest',
        `-datadir=${folder}`,
        `-rpcport=${port}`,
        '-rpcuser=user',
        '-rpcpassword=p@ss',
        '-server=1',
        '-listen=0',
        '-dnsseed=0',
        '-rest=1',
        '-fallbackfee=0.0001',
        '-keypool=20',
        '-acceptnonstdtxn=1',
        // A stopping node waits for idle connections to time out.
        '-rpcservertimeout=1',
        ...options,
        ...once,
      ],
      { stdio: 'ignore' },
    )
    child = started
    let exit: number | null | undefined
    started.on('exit', (code) => {
      exit = code
    })
    for (;;) {
      if (exit !== undefined) throw new Error(`${program} ended with ${exit} instead of starting`)
      try {
        await rpc.call('getblockcount', [], z.int())
        return
      } catch (error) {
        const isStarting =
          error instanceof NodeUnreachableError || (error instanceof NodeRpcError && error.rpcCode === -28)
        if (!isStarting) throw error
        // Polls until the node responds, instead of assuming how long the start takes.
        await new Promise((resolve) => {
          setTimeout(resolve, 50)
        })
      }
    }
  }

  async function stop(): Promise<void> {
    const running = child
    if (running === undefined) return
    child = undefined
    const ended = new Promise((resolve) => {
      running.once('exit', resolve)
    })
    running.kill('SIGTERM')
    await ended
  }

  await start()
  return {
    ...client,
    folder,
    blocksFolder: join(folder, 'regtest', 'blocks'),
    stop,
    start,
    remove: async () => {
      // Before the node stops, which waits for idle connections.
      close()
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
