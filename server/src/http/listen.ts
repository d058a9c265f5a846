/** Where the app listens, and what stands in the way, in words. */
import type { FastifyInstance, FastifyListenOptions } from 'fastify'
import { GatewatchError, systemCodeOf } from '../lib/errors.ts'

export class ListenError extends GatewatchError {
  override readonly code = 'cannot_listen'
  override readonly retryable = false
  constructor(host: string, port: number, cause: unknown) {
    const reason: Readonly<Record<string, string>> = {
      EADDRINUSE: 'another program listens there already; stop it or set PORT to another one',
      EACCES: 'this account may not use that port; set PORT to one above 1023',
      EADDRNOTAVAIL: 'this machine has no such address; set HOST to one it has',
    }
    super(
      `Cannot listen on ${host}:${port}: ${reason[systemCodeOf(cause) ?? ''] ?? 'the address cannot be used; check HOST and PORT'}.`,
      { cause },
    )
  }
}

export type Place = {
  readonly host: string
  readonly port: number
  /** Several processes listen there, and the kernel spreads connections over them. */
  readonly shared?: boolean
  readonly says: string
}

/** A predecessor that is just ending (its `npm start` was killed) frees the port within moments. */
const PORT_PATIENCE_MS = 3_000

export async function listenOn(app: FastifyInstance, { host, port, shared = false, says }: Place): Promise<void> {
  // Fastify hands its options to Node, whose `reusePort` its types do not know yet.
  const options: FastifyListenOptions & { readonly reusePort: boolean } = {
    host,
    port,
    reusePort: shared,
    listenTextResolver: () => says,
  }
  const deadline = Date.now() + PORT_PATIENCE_MS
  for (;;) {
    try {
      await app.listen(options)
      return
    } catch (error) {
      if (systemCodeOf(error) !== 'EADDRINUSE' || Date.now() > deadline) throw new ListenError(host, port, error)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
