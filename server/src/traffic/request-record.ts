/** One request that came with a known key, as the log keeps it. */
export type RequestRecord = {
  /** When it was answered, milliseconds since the epoch. */
  readonly at: number
  /** As the client got it in `x-request-id`. */
  readonly requestId: string
  readonly accountId: string
  readonly keyId: string
  /** The route with its parameters unfilled, `/api/v2/tx/{txid}`; what was asked for is never logged. */
  readonly endpoint: string
  readonly chain: string | undefined
  readonly status: number
  /** Of a refusal. */
  readonly code: string | undefined
  /** From the request's arrival to its answer, microseconds. */
  readonly latencyUs: number
  /** Of the answer's body. */
  readonly bytes: number
  /** The client's whole address; masked before it is written (`client-network.ts`). */
  readonly address: string | undefined
}
