/**
 * A port of 127.0.0.1 for a program that is about to be started.
 *
 * Below the ports the kernel gives away by itself, so that what was free a moment ago is not taken by the next
 * connection; each process counts on from a place of its own.
 */
import { createServer } from 'node:net'

const FIRST = 12_000
const COUNT = 20_000
const PER_PROCESS = 20

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
