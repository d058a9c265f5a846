/**
 * Starts anvil nodes for tests, each on a free port. A node stops with its test file, and when the process is killed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { findAnvil } from '../../scripts/anvil.mjs'
import { freePort } from '../support/port.ts'

const found = findAnvil()

/** For the `skip` option of a test: false if anvil is installed, otherwise the reason. In CI a missing anvil is an error. */
export const anvilMissing: string | false = 'reason' in found ? found.reason : false
if (anvilMissing !== false && process.env.CI !== undefined) throw new Error(anvilMissing)

export type Anvil = {
  readonly url: string
  readonly chainId: number
  readonly rpc: <T = unknown>(method: string, ...params: readonly unknown[]) => Promise<T>
  readonly stop: () => Promise<void>
}

/** Makes the kernel kill the child when this process ends for any reason. */
const SETPRIV = '/usr/bin/setpriv'

export async function startAnvil(chainId: number, options: readonly string[] = []): Promise<Anvil> {
  if ('reason' in found) throw new Error(found.reason)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  // A node that is killed leaves its old states behind, by default in the home folder.
  const states = mkdtempSync(join(tmpdir(), 'gatewatch-anvil-'))
  const remove = () => rmSync(states, { recursive: true, force: true })
  process.once('exit', remove)
  const places = ['--port', String(port), '--cache-path', states]
  const settings = [...places, '--chain-id', String(chainId), '--silent', '--accounts', '4', ...options]
  const run = [found.command, ...found.args, ...settings]
  const command = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'KILL', ...run] : run
  const child = spawn(command[0] as string, command.slice(1), {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...found.env },
  })
  const end = async () => {
    await stop(child)
    remove()
    process.off('exit', remove)
  }
  const node = { url, chainId, rpc: rpcOf(url), stop: end }
  await ready(node, child)
  return node
}

/** Starts a node that stops after the tests of the file. */
export async function anvilForTests(chainId: number, options: readonly string[] = []): Promise<Anvil> {
  const node = await startAnvil(chainId, options)
  after(node.stop)
  return node
}

function rpcOf(url: string): Anvil['rpc'] {
  return async <T>(method: string, ...params: readonly unknown[]) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await response.json()) as { result?: T; error?: { message: string } }
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result as T
  }
}

async function ready({ rpc }: Pick<Anvil, 'rpc'>, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`anvil ended with ${child.exitCode ?? child.signalCode} before it was ready`)
    const response = await rpc('eth_chainId').catch(() => undefined)
    if (response !== undefined) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}
