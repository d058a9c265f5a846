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

/** RPC_IN_WARMUP: the node is starting up. */
const IN_WARMUP = -28

/** The node responded with an RPC error. */
export class NodeRpcError extends SourceError {
  override readonly code = 'node_rpc_error'
  override readonly retryable = true
  readonly rpcCode: number
  /** What the node returned. */
  readonly reason: string

  constructor(node: string, method: string, rpcCode: number, message: string) {
    super(node, `${method}: ${message} (${rpcCode})`)
    this.rpcCode = rpcCode
    this.reason = message
  }
}

/** Whether the node is stopped, starting or restarting, so that it can respond at any moment. */
export const isNodeAway = (error: unknown): boolean =>
  error instanceof NodeUnreachableError || (error instanceof NodeRpcError && error.rpcCode === IN_WARMUP)

/**
 * The node knows the block but does not have its data: it is pruned, or it started from a snapshot and has not
 * downloaded the block yet.
 */
export class BlockUnavailableError extends SourceError {
  override readonly code = 'node_lacks_block'
  override readonly retryable = true
  readonly isPruned: boolean

  constructor(node: string, hash: string, isPruned: boolean) {
    super(
      node,
      isPruned
        ? `block ${hash} is pruned: the node has deleted it. An index is built from all blocks; set prune=0 and start the node with -reindex`
        : `block ${hash} is not downloaded yet`,
    )
    this.isPruned = isPruned
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
  // The operator corrects the password, or the node starts again with the right one.
  override readonly retryable = true
  readonly status: number

  constructor(node: string, status: number) {
    super(
      node,
      status === 401
        ? 'refused the credentials (HTTP 401)'
        : 'refused the call (HTTP 403); check rpcallowip and rpcwhitelist of the node',
    )
    this.status = status
  }
}

/** The node runs another chain than the configured one. */
export class WrongNetworkError extends SourceError {
  override readonly code = 'wrong_network'
  override readonly retryable = true
}

/** A folder of block files is missing, incomplete or of another network. */
export class BlockFilesError extends SourceError {
  override readonly code = 'block_files_unusable'
  override readonly retryable = false
}
