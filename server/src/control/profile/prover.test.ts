/** Rules of the proof, each shown by a system that breaks it and by one that keeps it. */
import { type Hex, keccak256, numberToHex } from 'viem'
import { behind, type Case, eoa, locked, signers, testCases, ZERO } from '../../../../testing/evm/sample-cases.ts'
import {
  by,
  call,
  constant,
  effects,
  inSlot,
  run,
  slot,
  store,
  stored,
} from '../../../../testing/evm/sample-effects.ts'
import { at, type Described, type SampleWorld } from '../../../../testing/evm/sample-world.ts'
import type { Answer, Condition, Effect } from '../code/effects.ts'
import { OP } from '../code/instructions.ts'
import type { Position } from '../code/positions.ts'
import { toWord } from './abi-values.ts'
import { SLOTS } from './slots.ts'

/** A proxy whose pointer in slot 7 needs the account in slot 8. */
const OWN_PROXY = effects(run(inSlot(7)), store(slot(7), by(inSlot(8))))

const proxy = (w: SampleWorld, owner: Hex, logic: Described = {}): Hex =>
  w.add('target', {
    code: {
      effects: OWN_PROXY,
      delegating: true,
      delegates: [{ from: 'slot', slot: SLOTS.implementation }],
      writes: [SLOTS.implementation],
      senderSlots: [SLOTS.admin],
    },
    slots: { implementation: w.add('logic', logic), admin: owner },
    more: stored([7, at('logic')], [8, owner]) ?? {},
  })

/** A beacon whose answer is in slot 1, which only the account in slot 0 may set. */
const beaconProxy = (
  w: SampleWorld,
  answers: readonly Answer[],
  more: readonly (readonly [number, Hex])[] = [],
): Hex => {
  const logic = w.add('logic', {})
  const owner = locked(w)
  const beacon = w.add('beacon', {
    code: { effects: { ...effects(store(slot(1), by(inSlot(0)))), answers } },
    slots: { slot0: owner, slot1: logic },
    calls: { implementation: logic, owner },
    more: stored(...more) ?? {},
    allows: (from) => from === owner,
  })
  return w.add('target', {
    code: {
      delegating: true,
      delegates: [{ from: 'answer', by: SLOTS.beacon }],
      effects: effects(
        run({ type: 'returned', by: { type: 'slot', slot: SLOTS.beacon, shift: 0 }, selector: '0x5c60da1b' }),
      ),
    },
    slots: { beacon },
  })
}

/** A library that its code destroys where these conditions hold, and that logic of a timelock runs. */
const withLibrary = (w: SampleWorld, ...conditions: readonly Condition[]): Hex => {
  const library = w.add('library', { code: { effects: effects({ kind: 'selfdestruct', at: 4, conditions }) } })
  return proxy(w, locked(w), { code: { effects: effects(run(constant(library), { isForwarded: false })) } })
}

const isAt = (address: Hex): Condition => ({ type: 'state', expression: [OP.EQ, 'self', address], isZero: false })
/** A store of the owner that only the contract itself may make, and a call of another function of what the caller names. */
const OWN_STORE: Effect = { ...store(slot(8), by({ type: 'self' })), selector: '0x11111111' }

const ping: Effect = { ...call({ type: 'input' }), passes: '0x22222222' }
/** A pointer that the owner may set, or whom a contract in slot 5 lets pass, which these conditions let set. */
const authorized = (w: SampleWorld, authority: Hex, ...conditions: readonly Condition[]): Hex => {
  const answered: Condition = { type: 'answered', by: { type: 'slot', slot: toWord(5), shift: 0 } }
  return w.add('target', {
    code: {
      effects: effects(
        run(inSlot(7)),
        store(slot(7), by(inSlot(8))),
        store(slot(7), answered),
        store(slot(5), ...conditions),
      ),
    },
    more: stored([5, authority], [7, w.add('logic', {})], [8, locked(w)]) ?? {},
  })
}

/** A list with lengths in these places, and a store of any word, or to one slot, under these conditions. */
const listed = (
  w: SampleWorld,
  lengths: readonly Position[],
  condition?: Condition,
  position: Position = { type: 'anywhere' },
): Hex => {
  const element: Position = { type: 'near', slot: keccak256(toWord(5)), lengths }
  const any = store(position, ...(condition === undefined ? [] : [condition]))
  return w.add('target', {
    code: { effects: effects(run(inSlot(7)), store(slot(7), by(inSlot(8))), store(element), any) },
    more: stored([5, 3], [7, w.add('logic', {})], [8, locked(w)], [9, numberToHex(1n << 64n)]) ?? {},
  })
}

const CASES: readonly Case[] = [
  {
    setup: 'a call to itself whose selector, cut after three bytes, is that of a function reserved to the contract',
    build: (w) => proxy(w, locked(w), { code: { effects: effects({ ...OWN_STORE, selector: '0x22222200' }, ping) } }),
    label: 'unknown',
  },
  {
    setup:
      'a call to itself of a function that passes a part of its input on, where another is reserved to the contract',
    build: (w) =>
      proxy(w, locked(w), { code: { effects: effects(OWN_STORE, run({ type: 'self' }, { isRenamed: true }), ping) } }),
    label: 'unknown',
  },
  {
    setup: 'a library that one key destroys when it is called itself',
    build: (w) => withLibrary(w, isAt(at('library')), by(constant(eoa))),
    label: 'single_key',
  },
  {
    setup: 'a library that any caller destroys when it is called itself',
    build: (w) => withLibrary(w, isAt(at('library'))),
    label: 'unknown',
  },
  {
    setup: 'a library that could be destroyed at another address only',
    build: (w) => withLibrary(w, isAt(eoa)),
    label: 'timelocked',
  },
  {
    setup: 'a function that is reserved to the contract, and a call to itself of another function',
    build: (w) => proxy(w, locked(w), { code: { effects: effects(OWN_STORE, ping) } }),
    label: 'timelocked',
  },
  {
    setup: 'a call to itself of a function that runs a library, where a function is reserved to the contract',
    build: (w) => {
      const library = w.add('library', { code: { effects: effects(OWN_STORE) } })
      return proxy(w, locked(w), { code: { effects: effects(run(constant(library), { isForwarded: false }), ping) } })
    },
    label: 'unknown',
  },
  {
    setup:
      'a call to itself of a function that passes its input on to logic, which reserves another one to the contract',
    build: (w) => {
      const library = w.add('library', { code: { effects: effects(OWN_STORE) } })
      return proxy(w, locked(w), { code: { effects: effects(run(constant(library)), ping) } })
    },
    label: 'timelocked',
  },
  {
    setup: 'a call to itself of a function that makes a batch of calls, where another one is reserved to the contract',
    build: (w) =>
      proxy(w, locked(w), {
        code: { effects: effects(OWN_STORE, run({ type: 'self' }, { isForwarded: false }), ping) },
      }),
    label: 'unknown',
  },
  {
    setup: 'an authority that is not set, and that only the owner may set',
    build: (w) => authorized(w, ZERO, by(inSlot(8))),
    label: 'timelocked',
  },
  {
    setup: 'an authority that is set',
    build: (w) => authorized(w, eoa, by(inSlot(8))),
    label: 'unknown',
  },
  {
    setup: 'an authority that is not set, and that any caller may set',
    build: (w) => authorized(w, ZERO),
    label: 'unknown',
  },
  {
    setup: 'a list, and an owner who may store any word',
    build: (w) => listed(w, [slot(5)], by(inSlot(8))),
    label: 'timelocked',
  },
  {
    setup: 'a list of a length that is stored already, and an owner who may store any word',
    build: (w) => listed(w, [slot(9)], by(inSlot(8))),
    label: 'unknown',
  },
  {
    setup: 'a list in a table, whose length an earlier owner may have stored',
    build: (w) => listed(w, [{ type: 'table', base: toWord(5), keys: ['?1'], member: 0 }], by(inSlot(8))),
    label: 'unknown',
  },
  {
    setup: 'a list, and any caller who may store any word',
    build: (w) => listed(w, [slot(5)]),
    label: 'unknown',
  },
  {
    setup: 'a list, and one key that may store any word',
    build: (w) => listed(w, [slot(5)], by(constant(eoa))),
    label: 'single_key',
  },
  {
    setup: 'a list, and one key that may store its length',
    build: (w) => listed(w, [slot(5)], by(constant(eoa)), slot(5)),
    label: 'unknown',
  },
  {
    setup: 'a contract that owns its owner, and that any caller may use to call it',
    build: (w) => {
      const owner = w.add('owner', { code: { effects: effects(call({ type: 'input' }, by(constant(at('target'))))) } })
      return proxy(w, owner, { code: { effects: effects(call({ type: 'input' })) } })
    },
    label: 'unknown',
  },
  {
    setup: 'an owner with an open function that sends tokens, and an upgrade function of the same name',
    build: (w) => {
      const transfer: Hex = '0xa9059cbb'
      const rescue = { ...call({ type: 'input' }), passes: transfer }
      const owner = w.add('owner', { code: { effects: effects(rescue) }, calls: { owner: locked(w) } })
      return w.add('target', {
        code: { effects: effects(run(inSlot(7)), { ...store(slot(7), by(inSlot(8))), selector: transfer }) },
        more: stored([7, w.add('logic', {})], [8, owner]) ?? {},
      })
    },
    label: 'unknown',
    reason: /makes a call in the name of the contract/,
  },
  {
    setup: 'an owner with an open function that sends tokens',
    build: (w) => {
      const rescue: Effect = { ...call({ type: 'input' }), passes: '0xa9059cbb' }
      const owner = w.add('owner', { code: { effects: effects(rescue) }, calls: { owner: locked(w) } })
      return w.add('target', {
        code: { effects: effects(run(inSlot(7)), { ...store(slot(7), by(inSlot(8))), selector: '0x3659cfe6' }) },
        more: stored([7, w.add('logic', {})], [8, owner]) ?? {},
      })
    },
    label: 'timelocked',
  },
  {
    setup: 'a Safe whose fallback handler is a contract with state',
    build: (w) => {
      const handler = w.add('handler', { code: { effects: effects(store(slot(1), by(constant(at('safe'))))) } })
      return behind(w, w.safe('safe', 3, signers(5), { slots: { safeFallbackHandler: handler } }))
    },
    label: 'unknown',
    reason: /fallback handler/,
  },
  {
    setup: 'a Safe whose fallback handler calls others',
    build: (w) => {
      const handler = w.add('handler', { code: { effects: effects(call({ type: 'caller' })) } })
      return behind(w, w.safe('safe', 3, signers(5), { slots: { safeFallbackHandler: handler } }))
    },
    label: 'unknown',
  },
  {
    setup: 'a Safe with a released fallback handler, which calls others',
    build: (w) => {
      const hash = '0x7c6007a5d711cea8dfd5d91f5940ec29c7f200fe511eb1fc1397b367af3c42f9'
      const handler = w.add('handler', { code: { hash, effects: effects(call({ type: 'caller' })) } })
      return behind(w, w.safe('safe', 3, signers(5), { slots: { safeFallbackHandler: handler } }))
    },
    label: 'multisig',
  },
  {
    setup: 'a beacon that answers with its slot',
    build: (w) => beaconProxy(w, [{ selector: '0x5c60da1b', is: inSlot(1) }]),
    label: 'timelocked',
  },
  {
    setup: 'a beacon that answers some callers otherwise',
    build: (w) =>
      beaconProxy(w, [
        { selector: '0x5c60da1b', is: inSlot(1) },
        { selector: '0x5c60da1b', is: { type: 'unknown' } },
      ]),
    label: 'unknown',
  },
  {
    setup: 'a beacon that answers at times with another slot, where an address without code is',
    build: (w) =>
      beaconProxy(
        w,
        [
          { selector: '0x5c60da1b', is: inSlot(1) },
          { selector: '0x5c60da1b', is: inSlot(9) },
        ],
        [[9, at('later')]],
      ),
    label: 'unknown',
  },
  {
    setup: 'a pointer to an address without code',
    build: (w) => w.add('target', { code: { effects: effects(run(inSlot(7))) }, more: stored([7, at('later')]) ?? {} }),
    label: 'unknown',
  },
  {
    setup: 'code at the address of a precompiled contract',
    build: (w) => {
      w.addAt('0x0000000000000000000000000000000000000064', { code: { effects: effects(store(slot(7))) } })
      const target = constant('0x0000000000000000000000000000000000000064')
      return w.add('target', {
        code: { effects: effects(run(inSlot(7)), run(target)) },
        more: stored([7, w.add('logic', {})]) ?? {},
      })
    },
    label: 'unknown',
  },
  {
    setup: 'a holder at a small address with code',
    build: (w) => {
      const holder: Hex = '0x0000000000000000000000000000000000000001'
      w.addAt(holder, { code: { effects: effects(call({ type: 'input' })) } })
      return w.add('target', {
        code: { effects: effects(run(inSlot(7)), store(slot(7), by(constant(holder)))) },
        more: stored([7, w.add('logic', {})]) ?? {},
      })
    },
    label: 'unknown',
  },
  {
    setup: 'a renounced owner',
    build: (w) => proxy(w, ZERO),
    label: 'immutable',
  },
  {
    setup: 'one key as owner',
    build: (w) => proxy(w, eoa),
    label: 'single_key',
  },
]

testCases(CASES)
