/** What can go wrong between a node and us. Messages name hosts and methods, never credentials. */
import { GatewatchError } from '../../lib/errors.ts'

/** The node did not answer: not there, cut off, or too slow. */
export class NodeUnreachableError extends GatewatchError {
  override readonly code = 'node_unreachable'
  override readonly retryable = true
  readonly node: string

  constructor(node: string, reason: string, cause?: unknown) {
    super(`${node}: ${reason}`, { cause })
    this.node = node
  }
}

/** The node answered with an error of its own. */
export class NodeRpcError extends GatewatchError {
  override readonly code = 'node_rpc_error'
  override readonly retryable: boolean
  readonly method: string
  readonly rpcCode: number

  constructor(node: string, method: string, rpcCode: number, message: string) {
    super(`${node}: ${method}: ${message} (${rpcCode})`)
    this.method = method
    this.rpcCode = rpcCode
    // Still warming up.
    this.retryable = rpcCode === -28
  }
}

/** The node answered something that is not what the method answers. */
export class NodeResponseError extends GatewatchError {
  override readonly code = 'node_response_invalid'
  override readonly retryable = true
  readonly method: string

  constructor(node: string, method: string, reason: string) {
    super(`${node}: ${method}: ${reason}`)
    this.method = method
  }
}

/** User or password are wrong, or this address may not ask. */
export class NodeRefusedError extends GatewatchError {
  override readonly code = 'node_refused'
  override readonly retryable = false
  readonly node: string

  constructor(node: string, status: number) {
    super(`${node}: refused our credentials (HTTP ${status})`)
    this.node = node
  }
}

/** The node runs a chain other than the one it is configured for. */
export class WrongNetworkError extends GatewatchError {
  override readonly code = 'wrong_network'
  override readonly retryable = false
  readonly node: string

  constructor(node: string, reason: string) {
    super(`${node}: ${reason}`)
    this.node = node
  }
}

/** A folder of block files cannot be used. */
export class BlockFilesError extends GatewatchError {
  override readonly code = 'block_files_unusable'
  override readonly retryable = false
  readonly folder: string

  constructor(folder: string, reason: string) {
    super(`${folder}: ${reason}`)
    this.folder = folder
  }
}
