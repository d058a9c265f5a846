/** An entry of the request log: one request with a valid API key. */

/** An entry that is not written yet. */
export type NewLogEntry = {
  /** Time of the response, milliseconds since the epoch. */
  readonly at: number
  /** The `x-request-id` of the response. */
  readonly requestId: string
  readonly accountId: string
  readonly keyId: string
  /** The route template, `/api/v2/tx/{txid}`. Parameter values are never logged. */
  readonly endpoint: string
  readonly chain: string | undefined
  readonly status: number
  /** The error code of a failed request. */
  readonly code: string | undefined
  /** Time from the arrival of the request to its response, microseconds. */
  readonly latencyUs: number
  /** Size of the response body. */
  readonly bytes: number
  /** The client's full address. Only its network is written. */
  readonly address: string | undefined
}

/** An entry as the table `request_log` stores it. */
export type LogEntry = {
  readonly at: Date
  readonly requestId: string
  readonly accountId: string
  readonly keyId: string
  readonly endpoint: string
  readonly chain: string | null
  readonly status: number
  readonly code: string | null
  readonly latencyUs: number
  readonly bytes: number
  readonly network: string | null
}
