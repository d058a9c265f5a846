/** `gatewatch probe`: profiles one contract through given endpoints, without a database. */

import { accountText, signerText } from '../../../../vocabulary/accounts.ts'
import { roleTitle } from '../../../../vocabulary/control-roles.ts'
import { labelText } from '../../../../vocabulary/labels.ts'
import { powerText } from '../../../../vocabulary/powers.ts'
import { reasonTexts } from '../../../../vocabulary/reasons.ts'
import { reasonOf } from '../../lib/errors.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Chain } from '../chains/chains.ts'
import type { ControlNode } from '../profile/control-node.ts'
import type { Profile } from '../profile/profile.ts'
import { type Endpoints, openProber } from './prober.ts'

export type ProbeOutput = { readonly json: unknown; readonly lines: readonly string[] }

const NO_CONTRACT = ['There is no contract at this address. If the contract is on another chain, name that chain.']

export async function probeContract(endpoints: Endpoints, chain: Chain, address: Hex): Promise<ProbeOutput> {
  const prober = openProber(endpoints)
  try {
    const { profile, isContract, block } = await prober.probe({ chainId: chain.id, address })
    const at = block === undefined ? '' : ` at block ${block.number}`
    return {
      json: {
        chain: { id: chain.id, slug: chain.slug },
        address,
        block: block === undefined ? null : { number: block.number, hash: block.hash },
        ...profile,
        reasons: reasonTexts(profile.reasons),
      },
      lines: [`${address} on ${chain.name}${at}`, ...(isContract ? profileLines(profile) : NO_CONTRACT)],
    }
  } finally {
    await prober.close()
  }
}

/** The message for endpoints that do not respond. */
export const whyProbeFailed = (error: unknown): string => `The contract could not be read: ${reasonOf(error)}`

/** A profile as lines for a terminal: the label, the control tree, the reasons. */
export function profileLines(profile: Profile): readonly string[] {
  const { label, tone, kind, stale, reasons, tree } = profile
  const text = reasons.length > 0 && label === 'unknown' ? 'Not determined' : labelText(label, profile.leader)
  return [
    `${text} (${label}, ${tone}${stale ? ', stale' : ''})`,
    `Kind: ${kind}`,
    '',
    accountText(tree),
    ...branches(tree, ''),
    '',
    ...powerLines(profile),
    'Why:',
    ...reasonTexts(reasons).map((reason) => `  ${reason}`),
  ]
}

/** Powers with their functions, most harmful first. */
function powerLines({ powers }: Profile): readonly string[] {
  if (powers === null || powers.length === 0) return []
  return [
    'Powers:',
    ...powers.map((power) => {
      const functions = power.functions.map(({ selector, signature }) => signature ?? selector)
      return `  [${power.class}] ${powerText(power)}${functions.length === 0 ? '' : `  ${functions.join(', ')}`}`
    }),
    '',
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
