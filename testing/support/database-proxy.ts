/** A TCP proxy in front of the database that a test can disconnect, reconnect or silence. */
import { connect, createServer, type Socket } from 'node:net'
import { after } from 'node:test'
import { freePort } from './port.ts'

export type DatabaseProxy = {
  readonly url: string
  readonly pull: () => void
  readonly plug: () => void
  /** Stops forwarding without closing connections, as a host that lost power. `plug` restores new connections. */
  readonly freeze: () => void
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const [, credentials, database, socketFolder, socketPort] =
    /^postgres:\/\/(.*)@\/(\w+)\?host=([^&]+)&port=(\d+)$/.exec(databaseUrl) ?? []
  const target = `${decodeURIComponent(socketFolder ?? '')}/.s.PGSQL.${socketPort}`
  const port = await freePort()
  const open = new Set<Socket>()
  let isPlugged = true
  let isFrozen = false
  const hold = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.unpipe()
    socket.pause()
  }
  const server = createServer((client) => {
    if (!isPlugged) {
      client.destroy()
      return
    }
    if (isFrozen) {
      hold(client)
      return
    }
    const upstream = connect(target)
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const cutAll = () => {
    for (const socket of open) socket.destroy()
  }
  after(() => {
    server.close()
    cutAll()
  })
  return {
    url: `postgres://${credentials}@127.0.0.1:${port}/${database}`,
    pull: () => {
      isPlugged = false
      cutAll()
    },
    plug: () => {
      isPlugged = true
      isFrozen = false
    },
    freeze: () => {
      isFrozen = true
      for (const socket of open) hold(socket)
    },
  }
}
