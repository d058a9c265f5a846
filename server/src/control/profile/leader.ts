/** Whether votes lead the accounts that control a contract: the text of a label must not claim a multisig then. */
import type { Leader } from '../../../../vocabulary/labels.ts'
import type { ControlNode } from './control-node.ts'

/** Undefined where no vote decides. */
export function leaderOf(tree: ControlNode): Leader | undefined {
  const kinds = deciding(tree)
  if (!kinds.has('vote')) return undefined
  return kinds.has('multisig') ? 'vote_or_multisig' : 'vote'
}

/** What decides on the paths of a tree. */
function deciding(node: ControlNode): ReadonlySet<'vote' | 'multisig'> {
  const { account, paths, label } = node
  if (label === 'immutable' || label === 'circular') return new Set()
  const isVote =
    account.kind === 'governor' ||
    account.kind === 'payloads_controller' ||
    (account.kind === 'aragon_app' && account.isVoting)
  const own = isVote
    ? ['vote' as const]
    : account.kind === 'safe' || account.kind === 'multisig'
      ? ['multisig' as const]
      : []
  return new Set([...own, ...paths.flatMap((path) => [...deciding(path)])])
}
