/** A profile as lines for a terminal: what it says first, then who stands behind it, then why. */

import { LABEL_TEXTS } from '../../../../vocabulary/labels.ts'
import type { ControlNode } from './control-node.ts'
import type { Profile } from './profile.ts'

export function profileLines(profile: Profile): readonly string[] {
  const { label, tone, kind, stale, reasons, tree } = profile
  const unsettled = reasons.length > 0 && label === 'unknown' ? 'Not settled' : LABEL_TEXTS[label]
  return [
    `${unsettled} (${label}, ${tone}${stale ? ', stale' : ''})`,
    `Kind: ${kind}`,
    '',
    tree.text,
    ...branches(tree, ''),
    '',
    'Why:',
    ...reasons.map((reason) => `  ${reason}`),
  ]
}

/** The line above tells already whose owner or module it is. */
const shortRole = (role: string): string =>
  role.replaceAll(/ of 0x[0-9a-f]{40}\b/g, '').replaceAll(/ 0x[0-9a-f]{40}\b/g, '')

function branches(node: ControlNode, indent: string): readonly string[] {
  const signers = (node.signers ?? []).map(({ text }): readonly [string, ControlNode | undefined] => [
    // One key of several: what makes a single key alarming is that it stands alone.
    `signer: ${text.replace(/, an EOA: a single key$/, ', an EOA')}`,
    undefined,
  ])
  const paths = node.paths.map((path): readonly [string, ControlNode | undefined] => [
    `${shortRole(path.role)}: ${path.text}  [${path.label}]`,
    path,
  ])
  const all = [...signers, ...paths]
  return all.flatMap(([line, path], at) => {
    const isLast = at === all.length - 1
    const below = path === undefined ? [] : branches(path, `${indent}${isLast ? '   ' : '│  '}`)
    return [`${indent}${isLast ? '└─ ' : '├─ '}${line}`, ...below]
  })
}
