/** Somebody who can replace the logic of a contract, and those an account may obey without naming them. */
import type { Hex } from 'viem'
import { addressOf } from './abi-values.ts'
import { hasRoles, isNobody } from './account.ts'
import type { CodeFacts } from './code-facts.ts'
import { each, type Facts } from './facts.ts'
import { ROLE_NAMES } from './roles.ts'
import { STRANGER } from './simulated-calls.ts'

export type Root = {
  readonly address: Hex
  /** How the sentence about it begins: "Proxy admin", "UUPS owner". */
  readonly role: string
  /** Seconds every change by this root must wait, whoever it is. */
  readonly delay: number
  /** Not the address itself decides, but so many of these, who sign. */
  readonly quorum?: { readonly needed: number; readonly members: readonly Hex[]; readonly text: string }
}

export const rootOf = (address: Hex, role: string, delay = 0): Root => ({ address, role, delay })

/** Each address once, by the first role it is named with. */
export function distinctRoots(roots: readonly Root[]): readonly Root[] {
  return roots.filter(({ address }, at) => roots.findIndex((other) => other.address === address) === at)
}

/** Accounts that the code compares its sender with: in the code itself, and in slots of its own. */
export function keysInCode(facts: Facts, code: CodeFacts | undefined, known: readonly Hex[] = []): readonly Root[] {
  const slots = (code?.senderSlots ?? []).filter((slot) => !known.includes(slot))
  const words = each(slots, (slot) => facts.storage(slot))
  const stored = words.flatMap((word, at) => {
    const address = word === undefined ? undefined : addressOf(word)
    return address === undefined ? [] : [rootOf(address, `Address in slot ${slots[at]}`)]
  })
  const fixed = (code?.senders ?? []).map((address) => rootOf(address, 'Address in the code of the logic'))
  return [...fixed, ...stored]
}

/** Members of every role, by the name of their role. */
export function everyMember(facts: Facts, what: string): readonly Root[] {
  if (!hasRoles(facts)) return []
  return [...(facts.book('roles')?.roles ?? [])].flatMap(([role, { members }]) =>
    members.map((address) => rootOf(address, `${what} ${ROLE_NAMES.get(role) ?? `role ${role}`} member`)),
  )
}

/** Those among the unnamed whom the chain would let pass: an owner kept for other things is refused, a hidden key is not. */
export function whoElsePasses(
  named: readonly Root[],
  unnamed: readonly Root[],
  mayPass: (from: Hex) => boolean,
): readonly Root[] {
  const anyone = rootOf(STRANGER, 'The upgrade is open to anyone, for example')
  const untried = distinctRoots([...unnamed, anyone]).filter(
    ({ address }) => !isNobody(address) && !named.some((root) => root.address === address),
  )
  const passes = each(untried, ({ address }) => mayPass(address))
  return untried.filter((_, at) => passes[at] === true)
}
