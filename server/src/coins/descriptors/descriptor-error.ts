/** Errors of output descriptors. Their messages never contain a part of the descriptor, which may be secret. */
import { GatewatchError } from '../../lib/errors.ts'

export class DescriptorError extends GatewatchError {
  override readonly code: string = 'invalid_descriptor'
  override readonly retryable = false
}

export class PrivateKeyError extends DescriptorError {
  override readonly code = 'private_key_refused'

  constructor() {
    super(
      'This contains a private key. Send public keys only, and consider the private key compromised: every reader of it can spend.',
    )
  }
}
