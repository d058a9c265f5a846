/** Errors of nodes and block files. Messages name hosts and methods, never credentials. */
import { GatewatchError } from '../../lib/errors.ts'

/** The node did not respond: unreachable, disconnected or too slow. */
export class NodeUnreachableError extends GatewatchError {
  override readonly code = 'node_unreachable'
  override readonly retryable = true
  readonly node: string

  constructor(node: string, reason: string, cause?: unknown) {
    super(`${node}: ${reason}`, { cause })
    this.node = node
  }
}

/** The node responded with an RPC error. */
export class NodeRpcError extends GatewatchError {
  override readonly code = 'node_rpc_error'
  override readonly retryable: boolean
  readonly method: string
  readonly rpcCode: number

  constructor(node: string, method: string, rpcCode: number, message: string) {
    super(`${node}: ${method}: ${message} (${rpcCode})`)
    this.method = method
    this.rpcCode = rpcCode
    // RPC_IN_WARMUP: the node is starting up.
    this.retryable = rpcCode === -28
  }
}

/** The response does not have the shape that the method documents. */
export class NodeResponseError extends GatewatchError {
  override readonly code = 'node_response_invalid'
  override readonly retryable = true
  readonly method: string

  constructor(node: string, method: string, reason: string) {
    super(`${node}: ${method}: ${reason}`)
    this.method = method
  }
}

/** The user or password is wrong, or the node does not allow our address. */
export class NodeRefusedError extends GatewatchError {
  override readonly code = 'node_refused'
  override readonly retryable = false
  readonly node: string

  constructor(node: string, status: number) {
    super(`${node}: refused the credentials (HTTP ${status})`)
    this.node = node
  }
}

/** The node runs another chain than the configured one. */
export class WrongNetworkError extends GatewatchError {
  override readonly code = 'wrong_network'
  override readonly retryable = false
  readonly node: string

  constructor(node: string, reason: string) {
    super(`${node}: ${reason}`)
    this.node = node
  }
}

/** A folder of block files is missing, incomplete or of another network. */
export class BlockFilesError extends GatewatchError {
  override readonly code = 'block_files_unusable'
  override readonly retryable = false
  readonly folder: string

  constructor(folder: string, reason: string) {
    super(`${folder}: ${reason}`)
    this.folder = folder
  }
}
