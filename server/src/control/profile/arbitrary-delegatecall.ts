/**
 * Code at addresses that a contract is given: whoever may have it run can do anything in the name of the contract, and
 * to its storage.
 */
import type { Hex } from 'viem'
import { addressOf, holds, toWord } from './abi-values.ts'
import { classify, controllersOf, rolesOf } from './account.ts'
import type { DelegateSource } from './code-behavior.ts'
import { each, type Facts } from './facts.ts'
import { incomplete } from './roles.ts'
import { distinctRoots, everyMember, type Root, rootOf } from './upgrader.ts'

/** Who may ask for it, nobody where it is not done; undefined where that cannot be told. */
export function askersOf(facts: Facts, delegates: readonly DelegateSource[]): readonly Root[] | undefined {
  // Upgradeable logic runs nothing at its own address: it makes sure of that first.
  const given = delegates.flatMap((source) =>
    source.from === 'input' && source.notAt !== facts.state.address ? [source] : [],
  )
  if (given.length === 0) return []
  const askers = each(given, ({ sender }) => (sender === undefined ? undefined : askerOf(facts, sender)))
  const known = askers.filter((root) => root !== undefined)
  if (known.length === askers.length) return distinctRoots(known)
  return classify(facts).kind === 'executor' ? executorsOf(facts) : undefined
}

export const GIVEN = 'runs code at addresses it is given: whoever may ask for that can do anything in its name.'

const MAY_RUN = 'who may have it run any code,'

/** `sender`: an address of the code, or a slot that holds one. */
function askerOf(facts: Facts, sender: Hex): Root | undefined {
  if (sender.length === ADDRESS_LENGTH) return rootOf(sender, `Address in the code, ${MAY_RUN}`)
  const word = facts.storage(sender) ?? toWord(0)
  const named = controllersOf(facts).find(({ address }) => holds(word, address))
  if (named !== undefined) return rootOf(named.address, `The ${named.role}, ${MAY_RUN}`)
  const address = addressOf(word)
  return address === undefined ? undefined : rootOf(address, `Address in slot ${sender}, ${MAY_RUN}`)
}

const ADDRESS_LENGTH = 42

/** An executor exists to run what its members bring. What its other roles may do is not written in its getters. */
function executorsOf(facts: Facts): readonly Root[] {
  const book = rolesOf(facts)
  if (!book.complete) throw incomplete(book)
  const named = controllersOf(facts).map(({ role, address }) => rootOf(address, `The ${role} of the executor`))
  return distinctRoots([...everyMember(facts, 'Executor'), ...named]).filter(
    ({ address }) => address !== facts.state.address,
  )
}
