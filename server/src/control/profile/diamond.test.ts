/** Diamonds and Compound's delegators: which accounts can change their code, and which are decoys. */
import assert from 'node:assert/strict'
import type { Hex } from 'viem'
import { type Case, eoa, HIDDEN, locked, testCases, ZERO } from '../../../../testing/evm/sample-cases.ts'
import { addresses, at, type Described, type SampleWorld } from '../../../../testing/evm/sample-world.ts'
import { toWord } from './abi-values.ts'
import type { CodeFacts } from './code-facts.ts'
import { DEFAULT_ADMIN } from './roles.ts'
import { SLOTS } from './slots.ts'
import { slotKey, value } from './state.ts'

/** A diamond without diamondCut, with one facet. */
const uncut = (w: SampleWorld, facet: Described, code: Partial<CodeFacts> = {}): Hex =>
  w.add('target', {
    code: { delegates: [{ from: 'mapping' }], delegating: true, ...code },
    calls: { diamondCutFacet: ZERO, facetAddresses: addresses([w.add('facet', facet)]) },
  })

/** Compound's Unitroller as its code shows it, with its admin in slot 0 and the logic it is offered in slot 3. */
const UNITROLLER: Partial<CodeFacts> = {
  delegates: [{ from: 'slot', slot: SLOTS.slot2 }],
  delegating: true,
  writes: [SLOTS.slot2, SLOTS.slot3],
  senderSlots: [SLOTS.slot0, SLOTS.slot3],
  selectors: new Set<Hex>(['0xf851a440', '0xdcfbc0c7']),
}
const unitroller = (
  w: SampleWorld,
  code: Partial<CodeFacts> = {},
  stored: Readonly<Record<string, Hex>> = {},
  admin = locked(w),
): Hex =>
  w.add('target', {
    code: { ...UNITROLLER, ...code },
    calls: { comptrollerImplementation: w.add('logic', {}), admin },
    more: { ...(admin === ZERO ? {} : { [slotKey(SLOTS.slot0)]: toWord(admin) }), ...stored },
  })

/** A diamond with diamondCut. */
const cut = (w: SampleWorld, calls: NonNullable<Described['calls']>, allows: Described['allows'] = () => false): Hex =>
  w.add('target', {
    code: { delegates: [{ from: 'mapping' }], delegating: true },
    calls: { diamondCutFacet: w.add('cut', {}), ...calls },
    allows,
  })

testCases([
  {
    setup: 'a diamond that is cut by its owner',
    build: (w) => cut(w, { owner: locked(w) }, (from) => from === at('lock')),
    label: 'timelocked',
  },
  {
    setup: 'a diamond that shows an owner and refuses a cut from it',
    build: (w) => cut(w, { owner: locked(w) }),
    label: 'unknown',
    reason: /no account that it names can change its facets/,
  },
  {
    setup: 'a diamond whose owner renounced and was never checked',
    build: (w) => cut(w, { owner: ZERO }),
    label: 'unknown',
  },
  {
    setup: 'a diamond whose owner left',
    build: (w) => cut(w, { owner: ZERO }, (from) => from === ZERO),
    label: 'immutable',
  },
  {
    setup: 'a diamond whose owner left, and whose roles one key gives',
    build: (w) =>
      w.add('target', {
        code: { delegates: [{ from: 'mapping' }], delegating: true },
        calls: { diamondCutFacet: w.add('cut', {}), owner: ZERO, hasRole: 0 },
        roles: { [DEFAULT_ADMIN]: [eoa] },
      }),
    label: 'single_key',
  },
  {
    setup: 'a diamond without diamondCut',
    build: (w) => uncut(w, { code: { writes: [toWord(3)] } }),
    label: 'immutable',
  },
  {
    setup: 'a diamond without diamondCut that does not list its facets',
    build: (w) =>
      w.add('target', {
        code: { delegates: [{ from: 'mapping' }], delegating: true },
        calls: { diamondCutFacet: ZERO },
      }),
    label: 'unknown',
    reason: /does not list its facets/,
  },
  ...(['input', 'anything', 'mapping'] as const).map(
    (from): Case => ({
      setup: `a diamond that is cut by another function, with an initialiser from ${from}`,
      build: (w) => uncut(w, { code: { delegates: [{ from }], delegating: true } }),
      label: 'unknown',
      reason: /may change its facet table/,
    }),
  ),
  {
    setup: 'a diamond that is cut by a library of a facet',
    build: (w) => {
      const library = w.add('library', { code: { delegates: [{ from: 'input' }], delegating: true } })
      return uncut(w, { code: { delegates: [{ from: 'fixed', address: library }], delegating: true } })
    },
    label: 'unknown',
  },
  {
    setup: 'a diamond with a facet that calls itself, and a library that only counts',
    build: (w) => {
      const library = w.add('library', {})
      return uncut(w, {
        code: { delegates: [{ from: 'self' }, { from: 'fixed', address: library }], delegating: true },
      })
    },
    label: 'immutable',
  },
  {
    setup: 'a diamond with a facet that writes where it likes',
    build: (w) => uncut(w, { code: { writesAnywhere: true } }),
    label: 'unknown',
  },
  {
    setup: 'a diamond with a facet that could not be followed',
    build: (w) => uncut(w, { code: { settled: false } }),
    label: 'unknown',
  },
  { setup: 'a diamond with a facet that is yet to come', build: (w) => uncut(w, { code: 'none' }), label: 'unknown' },
  {
    setup: 'a diamond with a facet that is the account of a key',
    build: (w) => uncut(w, { code: { delegatedTo: at('code') } }),
    label: 'unknown',
  },
  {
    setup: 'a diamond that calls another contract for its facets',
    build: (w) => uncut(w, {}, { delegates: [{ from: 'anything' }], callsOut: true }),
    label: 'unknown',
  },
  {
    setup: 'a diamond whose own code runs what it is given',
    build: (w) => uncut(w, {}, { delegates: [{ from: 'mapping' }, { from: 'input' }] }),
    label: 'unknown',
  },
  { setup: 'a Unitroller', build: (w) => unitroller(w), label: 'timelocked' },
  {
    setup: 'a Unitroller that is offered new logic, which its deployer owns',
    build: (w) => unitroller(w, {}, { [slotKey(SLOTS.slot3)]: toWord(w.add('brain', { calls: { admin: eoa } })) }),
    label: 'unknown',
    reason: /offers its storage/,
  },
  {
    setup: 'a Unitroller with one key in the place of the logic it is offered',
    build: (w) => unitroller(w, {}, { [slotKey(SLOTS.slot3)]: toWord(eoa) }),
    label: 'single_key',
  },
  {
    setup: 'a Unitroller that obeys a key in another slot',
    build: (w) =>
      unitroller(w, { senderSlots: [SLOTS.slot0, SLOTS.slot3, HIDDEN] }, { [slotKey(HIDDEN)]: toWord(eoa) }),
    label: 'single_key',
    reason: /Address in slot 99 is .* an EOA/,
  },
  {
    setup: 'a Unitroller without an admin that obeys a key in another slot',
    build: (w) => unitroller(w, { senderSlots: [SLOTS.slot0, HIDDEN] }, { [slotKey(HIDDEN)]: toWord(eoa) }, ZERO),
    label: 'single_key',
  },
  {
    setup: 'a Unitroller that obeys the key it names as pending admin, which cannot accept',
    build: (w) => {
      const target = unitroller(w, { senderSlots: [SLOTS.slot0, HIDDEN] }, { [slotKey(HIDDEN)]: toWord(eoa) })
      const state = w.state(target)
      assert.ok(state)
      w.replace({ ...state, calls: { ...state.calls, pendingAdmin: value(toWord(eoa)) } })
      return target
    },
    label: 'single_key',
  },
  { setup: 'a Unitroller without an admin', build: (w) => unitroller(w, {}, {}, ZERO), label: 'immutable' },
  {
    setup: 'a Unitroller that obeys a key in its code',
    build: (w) => unitroller(w, { senders: [eoa] }),
    label: 'single_key',
  },
  {
    setup: 'a Unitroller that obeys a key packed with something else',
    build: (w) =>
      unitroller(w, { senderSlots: [SLOTS.slot0, HIDDEN] }, { [slotKey(HIDDEN)]: toWord(BigInt(eoa) * 256n + 1n) }),
    label: 'unknown',
    reason: /something other than an address/,
  },
  {
    setup: 'a delegator whose admin is packed with its decimals',
    build: (w) => {
      const admin = locked(w)
      const code = { selectors: new Set<Hex>(['0xf851a440']), senderSlots: [SLOTS.slot3] }
      return unitroller(w, code, { [slotKey(SLOTS.slot3)]: toWord(BigInt(admin) * 256n + 8n) }, admin)
    },
    label: 'timelocked',
  },
  {
    setup: 'a Unitroller that does not check its admin',
    build: (w) => unitroller(w, { senderSlots: [] }),
    label: 'unknown',
    reason: /does not check the admin/,
  },
  {
    setup: 'a Unitroller whose logic writes the pointer, and names other logic',
    build: (w) => {
      const real = w.add('moving', { code: { writes: [SLOTS.slot2] } })
      return unitroller(w, {}, { [slotKey(SLOTS.slot2)]: toWord(real) })
    },
    label: 'unknown',
    reason: /can write the pointer/,
  },
  {
    setup: 'a Unitroller whose code could not be followed',
    build: (w) => unitroller(w, { settled: false }),
    label: 'unknown',
  },
  {
    setup: 'a Unitroller whose code writes where it likes',
    build: (w) => unitroller(w, { writesAnywhere: true }),
    label: 'unknown',
  },
])
