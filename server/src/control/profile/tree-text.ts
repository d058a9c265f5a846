/** A profile as lines for a terminal: the label, the control tree, the reasons. */

import { accountText, signerText } from '../../../../vocabulary/accounts.ts'
import { roleTitle } from '../../../../vocabulary/control-roles.ts'
import { LABEL_TEXTS } from '../../../../vocabulary/labels.ts'
import { reasonTexts } from '../../../../vocabulary/reasons.ts'
import type { ControlNode } from './control-node.ts'
import type { Profile } from './profile.ts'

export function profileLines(profile: Profile): readonly string[] {
  const { label, tone, kind, stale, reasons, tree } = profile
  const text = reasons.length > 0 && label === 'unknown' ? 'Not determined' : LABEL_TEXTS[label]
  return [
    `${text} (${label}, ${tone}${stale ? ', stale' : ''})`,
    `Kind: ${kind}`,
    '',
    accountText(tree),
    ...branches(tree, ''),
    '',
    'Why:',
    ...reasonTexts(reasons).map((reason) => `  ${reason}`),
  ]
}

function branches(node: ControlNode, indent: string): readonly string[] {
  const signers = (node.signers ?? []).map((signer): readonly [string, ControlNode | undefined] => [
    `signer: ${signerText(signer)}`,
    undefined,
  ])
  const paths = node.paths.map((path): readonly [string, ControlNode | undefined] => [
    `${roleTitle(path.role)}: ${accountText(path)}  [${path.label}]`,
    path,
  ])
  const all = [...signers, ...paths]
  return all.flatMap(([line, path], at) => {
    const isLast = at === all.length - 1
    const below = path === undefined ? [] : branches(path, `${indent}${isLast ? '   ' : '│  '}`)
    return [`${indent}${isLast ? '└─ ' : '├─ '}${line}`, ...below]
  })
}
