/**
 * Finds a free port on 127.0.0.1.
 *
 * Ports are below the kernel's ephemeral range, so that no outgoing connection takes a port that was just free. Each
 * process starts its search at a different port.
 */
import { createServer } from 'node:net'

const FIRST = 12_000
const COUNT = 20_000
const PER_PROCESS = 100

let next = process.pid * PER_PROCESS

export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + (next++ % COUNT)
    if (await isFree(port)) return port
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
