import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { children, type Node, Tree, text } from './ast.ts'
import { sourceEffects } from './effects.ts'
import { type SourceFunction, sourceFunctions } from './functions.ts'
import { guardsIn } from './guards.ts'

type Output = {
  readonly sources: Readonly<Record<string, { readonly ast: Node }>>
  readonly contracts: Readonly<
    Record<string, Readonly<Record<string, { readonly evm: { readonly methodIdentifiers: Record<string, string> } }>>>
  >
}

function functionsOf(file: string, name: string): ReadonlyMap<string, SourceFunction> {
  const content = readFileSync(join(import.meta.dirname, '..', '..', 'contracts', file), 'utf8')
  const solc = createRequire(import.meta.url)('solc') as { compile: (input: string) => string }
  const outputSelection = { '*': { '': ['ast'], '*': ['evm.methodIdentifiers'] } }
  const input = { language: 'Solidity', sources: { [file]: { content } }, settings: { outputSelection } }
  const { sources, contracts } = JSON.parse(solc.compile(JSON.stringify(input))) as Output
  const ast = sources[file]?.ast as Node
  const contract = children(ast, 'nodes').find((node) => text(node, 'name') === name) as Node
  const identifiers = contracts[file]?.[name]?.evm.methodIdentifiers ?? {}
  return new Map(sourceFunctions(new Tree([ast]), contract, identifiers).map((each) => [each.signature, each]))
}

test('the source states who may call a function', () => {
  const functions = functionsOf('Guards.sol', 'AnsweredGuards')
  const setCap = functions.get('setCap(uint256)')
  assert.equal(setCap?.access, 'guarded')
  assert.deepEqual(
    guardsIn(setCap.formula).map((guard) => guard.type === 'answer' && guard.name),
    ['isRiskAdmin', 'isPoolAdmin'],
  )
  assert.equal(functions.get('borrow(uint256)')?.access, 'open')
})

test('the source states that a function is reserved to a list, by an error in words or a struct in memory', () => {
  const functions = functionsOf('Guards.sol', 'ListedAccounts')
  for (const signature of ['submit(int256)', 'perform(uint256)']) {
    const found = functions.get(signature)
    assert.equal(found?.access, 'guarded', signature)
    assert.deepEqual(
      guardsIn(found.formula).map(({ type }) => type),
      ['member'],
    )
  }
  assert.equal(functions.get('performFor(address,uint256)')?.access, 'open', 'the caller names an account of the list')
  assert.equal(functions.get('withdraw(address,uint128)')?.access, 'open', 'the administrator of one account')
})

test('a list from which members leave by themselves stays a list', () => {
  assert.equal(functionsOf('Guards.sol', 'ShrinkingList').get('setCap(uint256)')?.access, 'guarded')
})

test('the source states what a guarded function does', () => {
  const worst = ['CallingOwner', 'LinkedOwner'].flatMap((name) => {
    const functions = [...functionsOf('Calls.sol', name).values()]
    const effects = sourceEffects(functions)
    return functions.map(({ signature, selector }) => [signature.split('(')[0], effects.get(selector)?.worst])
  })
  assert.deepEqual(
    Object.fromEntries(worst.filter(([, effect]) => effect !== undefined)),
    // Linked libraries, data that is built in several ways, structs, and functions that only call others.
    {
      handOver: 'grant',
      notify: 'other',
      rescue: 'move_funds',
      rescueAll: 'move_funds',
      run: 'execute',
      setCap: 'set_terms',
      setTerms: 'set_dependency',
      setTreasury: 'move_funds',
      sweep: 'move_funds',
    },
  )
})
