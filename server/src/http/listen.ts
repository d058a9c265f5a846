/** Starts to listen, and explains why an address cannot be used. */
import type { FastifyInstance, FastifyListenOptions } from 'fastify'
import { GatewatchError, systemCodeOf } from '../lib/errors.ts'

export class ListenError extends GatewatchError {
  override readonly code = 'cannot_listen'
  override readonly retryable = false
  constructor(host: string, port: number, prefix: '' | 'METRICS_', cause: unknown) {
    const reason: Readonly<Record<string, string>> = {
      EADDRINUSE: `another program uses this port; stop it, or set ${prefix}PORT to another port`,
      EACCES: `this user may not use this port; set ${prefix}PORT to a port above 1023`,
      EADDRNOTAVAIL: `this machine does not have this address; set ${prefix}HOST to one of its addresses`,
    }
    super(
      `Cannot listen on ${host}:${port}: ${reason[systemCodeOf(cause) ?? ''] ?? `check ${prefix}HOST and ${prefix}PORT`}.`,
      { cause },
    )
  }
}

export type ListenOptions = {
  readonly host: string
  readonly port: number
  /** Several processes listen on this port, and the kernel distributes the connections. */
  readonly shared?: boolean
  /** The prefix of the variables that set host and port. */
  readonly prefix?: '' | 'METRICS_'
  /** The log line once it listens. */
  readonly message: string
}

/** A previous process that is still stopping frees the port soon. */
const PORT_WAIT_MS = 3_000

export async function listenOn(
  app: FastifyInstance,
  { host, port, shared = false, prefix = '', message }: ListenOptions,
): Promise<void> {
  // Fastify passes its options to Node. Its types do not have Node's `reusePort` yet.
  const options: FastifyListenOptions & { readonly reusePort: boolean } = {
    host,
    port,
    reusePort: shared,
    listenTextResolver: () => message,
  }
  const deadline = Date.now() + PORT_WAIT_MS
  for (;;) {
    try {
      await app.listen(options)
      return
    } catch (error) {
      if (systemCodeOf(error) !== 'EADDRINUSE' || Date.now() > deadline)
        throw new ListenError(host, port, prefix, error)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
