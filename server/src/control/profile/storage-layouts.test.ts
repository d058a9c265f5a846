import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LayoutType, type LayoutVariable, layoutChanges, type StorageLayout } from './storage-layouts.ts'

const inplace = (label: string, bytes: number): LayoutType => ({
  encoding: 'inplace',
  label,
  numberOfBytes: String(bytes),
})
const variable = (slot: number, type: string, label: string, offset = 0): LayoutVariable => ({
  slot: String(slot),
  offset,
  type,
  label,
})
const struct = (bytes: number, ...members: readonly LayoutVariable[]): LayoutType => ({
  ...inplace('struct Vault.Account', bytes),
  members,
})
const TYPES: StorageLayout['types'] = {
  address: inplace('address', 20),
  token: inplace('contract IERC20', 20),
  number: inplace('uint256', 32),
  short: inplace('uint64', 8),
  gap: { ...inplace('uint256[50]', 1_600), base: 'number' },
  account: struct(32, variable(0, 'number', 'balance')),
  balances: {
    encoding: 'mapping',
    label: 'mapping(address => uint256)',
    numberOfBytes: '32',
    key: 'address',
    value: 'number',
  },
  accounts: {
    encoding: 'mapping',
    label: 'mapping(address => struct)',
    numberOfBytes: '32',
    key: 'address',
    value: 'account',
  },
  list: { encoding: 'dynamic_array', label: 'struct[]', numberOfBytes: '32', base: 'account' },
}
const layout = (storage: readonly LayoutVariable[], types: StorageLayout['types'] = {}): StorageLayout => ({
  storage,
  types: { ...TYPES, ...types },
})

const BEFORE = [
  variable(0, 'address', 'owner'),
  variable(0, 'short', 'fee', 20),
  variable(1, 'number', 'supply'),
  variable(2, 'accounts', 'accounts'),
  variable(3, 'gap', '__gap'),
]

test('variables that are added behind others, in free space or in reserved space change nothing', () => {
  const after = [
    variable(0, 'token', 'admin'),
    variable(0, 'short', 'fee', 20),
    variable(1, 'number', 'supply'),
    variable(2, 'accounts', 'accounts'),
    variable(3, 'balances', 'debts'),
    variable(4, 'gap', '__gap'),
    variable(54, 'address', 'oracle'),
  ]
  assert.deepEqual(layoutChanges(layout(BEFORE), layout(after)), [])
  assert.deepEqual(layoutChanges(layout(BEFORE), layout(BEFORE.slice(0, 2))), [], 'what is removed stays unused')
})

test('a variable that is inserted moves those behind it', () => {
  const after = [
    variable(0, 'address', 'owner'),
    variable(0, 'short', 'fee', 20),
    variable(1, 'address', 'oracle'),
    variable(2, 'number', 'supply'),
    variable(3, 'accounts', 'accounts'),
  ]
  assert.deepEqual(layoutChanges(layout(BEFORE), layout(after)), [
    { slot: '1', offset: 0, previous: 'uint256 supply', current: 'address oracle' },
    { slot: '2', offset: 0, previous: 'mapping(address => struct) accounts', current: 'uint256 supply' },
  ])
})

test('a variable that covers a part of another one changes it', () => {
  assert.deepEqual(layoutChanges(layout(BEFORE), layout([variable(0, 'number', 'owner')])), [
    { slot: '0', offset: 0, previous: 'address owner', current: 'uint256 owner' },
  ])
  const inside = layout([variable(0, 'short', 'limit', 18)])
  assert.deepEqual(layoutChanges(layout(BEFORE), inside), [
    { slot: '0', offset: 18, previous: 'address owner', current: 'uint64 limit' },
  ])
})

test('a struct may grow in a mapping, and not in an array', () => {
  const grown = { account: struct(64, variable(0, 'number', 'balance'), variable(1, 'number', 'since')) }
  const moved = { account: struct(64, variable(0, 'number', 'since'), variable(1, 'address', 'delegate')) }
  const shifted = { account: struct(64, variable(0, 'address', 'delegate'), variable(1, 'number', 'balance')) }
  const inMapping = [variable(0, 'accounts', 'accounts')]
  const inArray = [variable(0, 'list', 'list')]
  const count = (storage: readonly LayoutVariable[], types: StorageLayout['types']): number =>
    layoutChanges(layout(storage), layout(storage, types)).length
  assert.deepEqual(
    [grown, moved, shifted].map((types) => count(inMapping, types)),
    [0, 0, 1],
  )
  assert.deepEqual(
    [grown, moved, shifted].map((types) => count(inArray, types)),
    [1, 1, 1],
  )
})

test('types that refer to themselves end, and many changes are cut', () => {
  const self = { account: struct(32, variable(0, 'accounts', 'children')) }
  const storage = [variable(0, 'accounts', 'accounts')]
  assert.deepEqual(layoutChanges(layout(storage, self), layout(storage, self)), [])
  const many = Array.from({ length: 40 }, (_, slot) => slot)
  const [numbers, addresses] = ['number', 'address'].map((type) =>
    layout(many.map((slot) => variable(slot, type, 'x'))),
  )
  assert.equal(layoutChanges(numbers as StorageLayout, addresses as StorageLayout).length, 10)
})
