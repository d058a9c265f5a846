/** A decoded event of any contract, for tests that decode nothing. */
import type { DecodedEvent } from '../../server/src/control/catalog/catalog.ts'

export const SAMPLE_EVENT: DecodedEvent = {
  key: 'pause.paused',
  category: 'pause',
  severity: 'high',
  args: {},
  decode: 'ok',
  signature: 'Paused()',
}
