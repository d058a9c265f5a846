/** Finds the HTTP server of this process behind a URL by sending a request to it. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Server } from 'node:http'

export async function serverAt(url: string): Promise<Server> {
  const found = Promise.withResolvers<Server>()
  const onRequest = (message: unknown): void => found.resolve((message as { readonly server: Server }).server)
  subscribe('http.server.request.start', onRequest)
  await fetch(`${url}/healthz`)
  unsubscribe('http.server.request.start', onRequest)
  return await found.promise
}
