/** Errors of nodes and block files. Messages name hosts and methods, never credentials. */
import { GatewatchError } from '../../lib/errors.ts'

/** An error of a node, a folder or an index. Its message begins with the name of it. */
export abstract class SourceError extends GatewatchError {
  constructor(name: string, reason: string, cause?: unknown) {
    super(`${name}: ${reason}`, { cause })
  }
}

/** The node did not respond: unreachable, disconnected or too slow. */
export class NodeUnreachableError extends SourceError {
  override readonly code = 'node_unreachable'
  override readonly retryable = true
}

/** The node responded with an RPC error. */
export class NodeRpcError extends SourceError {
  override readonly code = 'node_rpc_error'
  override readonly retryable: boolean
  readonly rpcCode: number

  constructor(node: string, method: string, rpcCode: number, message: string) {
    super(node, `${method}: ${message} (${rpcCode})`)
    this.rpcCode = rpcCode
    // RPC_IN_WARMUP: the node is starting up.
    this.retryable = rpcCode === -28
  }
}

/** The response does not have the shape that the method documents. */
export class NodeResponseError extends SourceError {
  override readonly code = 'node_response_invalid'
  override readonly retryable = true

  constructor(node: string, method: string, reason: string) {
    super(node, `${method}: ${reason}`)
  }
}

/** The user or password is wrong, or the node does not allow our address. */
export class NodeRefusedError extends SourceError {
  override readonly code = 'node_refused'
  override readonly retryable = false

  constructor(node: string, status: number) {
    super(node, `refused the credentials (HTTP ${status})`)
  }
}

/** The node runs another chain than the configured one. */
export class WrongNetworkError extends SourceError {
  override readonly code = 'wrong_network'
  override readonly retryable = false
}

/** A folder of block files is missing, incomplete or of another network. */
export class BlockFilesError extends SourceError {
  override readonly code = 'block_files_unusable'
  override readonly retryable = false
}
