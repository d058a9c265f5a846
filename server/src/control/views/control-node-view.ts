/** A control node as the contract page receives it: texts and figures instead of codes. */
import type { z } from 'zod'
import { accountText, signerText } from '../../../../vocabulary/accounts.ts'
import { roleTitle } from '../../../../vocabulary/control-roles.ts'
import { reasonTexts } from '../../../../vocabulary/reasons.ts'
import type { ControlNode } from '../profile/control-node.ts'
import type { controlNode } from './page-schemas.ts'

export function controlNodeView(node: ControlNode): z.input<typeof controlNode> {
  const { chainId, address, role, account, label, delaySeconds, notes, paths, signers = [] } = node
  return {
    chainId,
    address,
    role: roleTitle(role),
    kind: account.kind,
    text: accountText(node),
    threshold: 'threshold' in account ? account.threshold : null,
    owners: 'owners' in account ? account.owners : null,
    label,
    delaySeconds,
    notes: [...reasonTexts(notes)],
    signers: signers.map((signer) => ({ address: signer.address, text: signerText(signer) })),
    paths: paths.map(controlNodeView),
  }
}
