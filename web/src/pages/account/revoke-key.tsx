import { type KeyFamily, useRevokeKey } from '../../api/use-keys.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'

type RevokeKeyProps = { readonly family: KeyFamily; readonly id: string; readonly name: string }

export function RevokeKey({ family, id, name }: RevokeKeyProps) {
  const revoke = useRevokeKey(family)
  return (
    <ConfirmButton
      text="Revoke"
      label={`Revoke the key ${name}`}
      sure="It stops working at once"
      isPending={revoke.isPending}
      onConfirm={() => revoke.mutate(id)}
    />
  )
}
