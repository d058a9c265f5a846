/** Who controls a contract: the drawing of the paths, the reasons of the label, the powers, and all of it as a list. */
import type { Schemas } from 'gatewatch-client'
import { LABEL_TONES } from '../../../../vocabulary/labels.ts'
import { decisivePower } from '../../../../vocabulary/powers.ts'
import { useAbout } from '../../api/use-about.ts'
import { useNames } from '../../api/use-names.ts'
import { TextWithAccounts } from '../../components/account.tsx'
import { ContractPowers } from './contract-powers.tsx'
import { ControlDrawing } from './control-drawing.tsx'
import type { ControlNode } from './control-graph.ts'
import { ControlList } from './control-list.tsx'
import styles from './controllers.module.css'

type Controlled = NonNullable<Schemas['ContractCheck']['control']>

type ControllersProps = { readonly of: Controlled; readonly chain: string; readonly address: string }

export function Controllers({ of: { tree, profile, powers, powerPaths }, chain, address: subject }: ControllersProps) {
  const chains = useAbout().data?.chains ?? []
  const slugOf = (chainId: number) => chains.find(({ id }) => id === chainId)?.slug
  const nameOf = useNames()
  return (
    <>
      {(tree.paths.length > 0 || powerPaths.length > 0) && (
        <ControlDrawing
          tree={tree}
          paths={powerPaths}
          decisive={decisivePower(LABEL_TONES[profile.label], powers ?? [])?.effect}
          tone={profile.tone}
          nameOf={({ chainId, address }) => (address === subject ? undefined : nameOf(slugOf(chainId) ?? '', address))}
          pageOf={({ chainId, address, kind }) => {
            const slug = slugOf(chainId)
            return slug === undefined || kind === 'none' || address === subject
              ? undefined
              : `/contracts/${slug}/${address}`
          }}
        />
      )}
      <Reasons reasons={profile.reasons} chain={chain} />
      <ContractPowers powers={powers} chain={chain} />
      <ControlList tree={tree} paths={powerPaths} chain={chain} />
    </>
  )
}

/** Each account of the graph with its role, as one text. */
export function accountsOf(control: Controlled | null): readonly string[] {
  if (control === null) return []
  const textsOf = ({ role, text, paths, signers }: ControlNode): readonly string[] => [
    `${role}: ${text}`,
    ...signers.map((signer) => `Signer: ${signer.text}`),
    ...paths.flatMap(textsOf),
  ]
  const { tree, powerPaths } = control
  return [...new Set([...tree.paths, ...powerPaths.map(({ node }) => node)].flatMap(textsOf))]
}

function Reasons({ reasons, chain }: { readonly reasons: readonly string[]; readonly chain: string }) {
  return (
    <div className={styles.reasons}>
      <h3>Why this label</h3>
      <ul className={styles.list}>
        {reasons.map((reason) => (
          <li key={reason}>
            <TextWithAccounts text={reason} chain={chain} />
          </li>
        ))}
      </ul>
    </div>
  )
}
