/** Checks whether Sourcify responds at the configured URL. */

import { reasonOf } from '../../lib/errors.ts'
import { type CheckResult, failed, passed } from '../../platform/checks/check-result.ts'
import { createSourcify } from './sourcify.ts'

/** The zero address on a chain that every Sourcify supports: any valid response will do. */
const CONTRACT = { chainId: 1, address: `0x${'0'.repeat(40)}` } as const

export async function checkSourcify(url: string): Promise<CheckResult> {
  const sourcify = createSourcify({ url })
  const about = `sourcify ${sourcify.host}`
  try {
    await sourcify.isPublished(CONTRACT)
    return passed(about, 'It responds.')
  } catch (error) {
    return failed(about, `${reasonOf(error)}.`, 'Check SOURCIFY_URL, without /v2 at its end.')
  }
}
