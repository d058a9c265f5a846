/** Whether Sourcify answers questions where the operator says it is. */

import { type CheckResult, failed, passed } from '../../lib/check-result.ts'
import { reasonOf } from '../../lib/errors.ts'
import { createSourcify } from './sourcify.ts'

/** Nobody's contract, on a chain that every Sourcify knows: any answer will do. */
const QUESTION = { chainId: 1, address: `0x${'0'.repeat(40)}` } as const

export async function checkSourcify(url: string): Promise<CheckResult> {
  const sourcify = createSourcify({ url })
  const about = `sourcify ${sourcify.host}`
  try {
    await sourcify.isPublished(QUESTION)
    return passed(about, 'It answers.')
  } catch (error) {
    return failed(about, `${reasonOf(error)}.`, 'Check SOURCIFY_URL, without /v2 at its end.')
  }
}
