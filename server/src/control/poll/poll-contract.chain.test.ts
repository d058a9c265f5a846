/** Silent changes on a real node: each is reported once, and a change that a log announced is not reported. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Hex, keccak256 as keccak, zeroAddress } from 'viem'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { openZeppelin4, openZeppelin5, safeContract } from '../../../../testing/evm/compile.ts'
import {
  type ControlContracts,
  controlContracts,
  dataOf,
  eoa,
  FREE,
  own,
  signers,
  wordOf,
} from '../../../../testing/evm/control.ts'
import { type Evm, evmOf } from '../../../../testing/evm/evm.ts'
import { withFalseSlot } from '../../../../testing/evm/false-slot.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { testLog } from '../../../../testing/support/log.ts'
import type { Label } from '../../../../vocabulary/labels.ts'
import { reasonTexts } from '../../../../vocabulary/reasons.ts'
import { upgradeSeverity } from '../../../../vocabulary/upgrades.ts'
import { systemTiming } from '../../lib/clock.ts'
import { sql } from '../../platform/sql.ts'
import { buildCatalog } from '../catalog/catalog.ts'
import { catalogRows } from '../catalog/events/rows.ts'
import { SLOTS } from '../profile/slots.ts'
import { saveContract } from '../registry/contracts.ts'
import { createRpcPool, type RpcPool } from '../rpc/pool.ts'
import type { RpcRequest } from '../rpc/requests.ts'
import { createCodeAnalyzer } from './code-analyzer.ts'
import { getUpgrades } from './code-changes.ts'
import type { PollResult } from './poll-contract.ts'
import { createPoller, type PollerDeps } from './poller.ts'
import { findProfile, findSnapshot } from './profile-store.ts'

const options = anvilMissing === false ? {} : { skip: anvilMissing }
const node = anvilMissing === false ? await anvilForTests(1, FREE) : undefined
const evm = node === undefined ? (undefined as unknown as Evm) : await evmOf(node)
const made = node === undefined ? (undefined as unknown as ControlContracts) : controlContracts(node, evm)
const { plain, safe, transparent5, transparent4, uups, timelock, as, write, setCode } = made ?? {}
const { database } = await createTestDatabase()

/** Shared by all pollers: most of the contracts have the same code. */
const codes = createCodeAnalyzer()
let deps: PollerDeps
let pool: RpcPool
before(async () => {
  if (node === undefined) return
  await made.deployMulticall()
  // The same node twice: two endpoints that must agree.
  const urls = [node.url, node.url]
  pool = createRpcPool({ timing: systemTiming, report: () => {} }, { chain: 'ethereum', chainId: 1, urls })
  deps = {
    database,
    catalog: buildCatalog(catalogRows),
    codes,
    log: testLog,
    poolOf: (chainId) => (chainId === 1 ? pool : undefined),
    confirmationsOf: () => 0,
  }
})

const poll = (address: Hex, given = deps) => createPoller(given).poll({ chainId: 1, address })
const fieldsOf = async (address: Hex): Promise<readonly string[]> =>
  (await poll(address)).silent.map(({ field }) => field)
/** Events of fields: what the change means for powers and label is tested in `control-changes.int.test.ts`. */
const OF_FIELDS = sql`k.key not in ('slot.powers_changed', 'slot.control_weakened', 'slot.upgrade_reported')`
const eventsOf = async (address: Hex) => {
  const { rows } = await database.query(
    sql`select k.key as event_key, severity, is_derived, args from control_event e join event_kind k on k.id = e.kind_id
     where address = decode($1, 'hex') and ${OF_FIELDS} order by e.id`,
    [address.slice(2)],
  )
  return rows as readonly { event_key: string; severity: number; is_derived: boolean; args: object }[]
}
const changesOf = async (address: Hex) => {
  const { rows } = await database.query(
    sql`select from_label, to_label, cause from control_profile_change where address = decode($1, 'hex') order by id`,
    [address.slice(2)],
  )
  return rows as readonly {
    from_label: string | null
    to_label: string
    cause: readonly { field?: string; eventKey?: string }[]
  }[]
}

test(
  'an admin slot written silently is one event, one changed label with its cause, and no more',
  options,
  async () => {
    const admin = (await safe(2, signers(3))).address
    const { address } = await transparent4(admin)
    assert.deepEqual(await fieldsOf(address), [], 'the first poll finds no change')
    const known = await findProfile(database, { chainId: 1, address })
    assert.ok(known)
    assert.equal(known.label, 'multisig')
    assert.deepEqual(known.tree.hasCode, { [admin]: true })
    await write(address, SLOTS.admin, wordOf(eoa(9)))
    assert.deepEqual(await fieldsOf(address), ['admin'])
    assert.deepEqual(await fieldsOf(address), [])
    assert.deepEqual(await eventsOf(address), [
      {
        event_key: 'slot.admin_changed',
        severity: 2,
        is_derived: true,
        args: { field: 'admin', previous: admin, current: eoa(9) },
      },
    ])
    const changes = await changesOf(address)
    assert.deepEqual(
      changes.map(({ from_label, to_label }) => [from_label, to_label]),
      [
        [null, 'multisig'],
        ['multisig', 'single_key'],
      ],
    )
    assert.equal(changes[1]?.cause[0]?.field, 'admin')
    const { rows: announced } = await database.query(
      sql`select k.key as event_key from control_event e join event_kind k on k.id = e.kind_id where announced and ${OF_FIELDS}`,
    )
    assert.deepEqual(announced, [{ event_key: 'slot.admin_changed' }])
  },
)

type Setup = {
  readonly address: Hex
  readonly change: () => Promise<unknown>
  readonly field: string
  /** After the change. */
  readonly label: Label
}

const DAY = 86_400n
const councilLock = async () => timelock(2n * DAY, [(await safe(2, signers(3))).address])

/** Each changes one thing without a log. */
const SILENT: Readonly<Record<string, () => Promise<Setup>>> = {
  implementation: async () => {
    const { address } = await transparent4((await safe(2, signers(3))).address)
    const other = await evm.deploy(own('OwnedToken'), eoa(1))
    const change = () => write(address, SLOTS.implementation, wordOf(other.address))
    return { address, change, field: 'implementation', label: 'multisig' }
  },
  'the second logic of a proxy': async () => {
    const { address } = await transparent4((await safe(2, signers(3))).address)
    await write(address, SLOTS.secondaryImplementation, wordOf(await plain()))
    const other = await evm.deploy(own('OwnedToken'), eoa(1))
    const change = () => write(address, SLOTS.secondaryImplementation, wordOf(other.address))
    return { address, change, field: 'secondaryImplementation', label: 'multisig' }
  },
  beacon: async () => {
    const council = (await safe(2, signers(3))).address
    const beacon = await evm.deploy(openZeppelin5('UpgradeableBeacon'), await plain(), council)
    const other = await evm.deploy(openZeppelin5('UpgradeableBeacon'), await plain(), eoa(1))
    const start = dataOf(own('Plain'), 'set', [1n])
    const { address } = await evm.deploy(openZeppelin5('BeaconProxy'), beacon.address, start)
    // The beacon of OpenZeppelin 5 is in the code of the proxy; the slot only repeats it. Older ones read the slot.
    return {
      address,
      change: () => write(address, SLOTS.beacon, wordOf(other.address)),
      field: 'beacon',
      label: 'single_key',
    }
  },
  'the implementation of a beacon': async () => {
    const council = (await safe(2, signers(3))).address
    const beacon = await evm.deploy(openZeppelin4('UpgradeableBeacon'), await plain())
    await evm.send(beacon, 'transferOwnership', [council])
    const { address } = await evm.deploy(openZeppelin4('BeaconProxy'), beacon.address, '0x')
    const change = async () => write(beacon.address, SLOTS.slot1, wordOf(await plain()))
    return { address, change, field: 'beaconImplementation', label: 'multisig' }
  },
  owner: async () => {
    const { address } = await uups('OwnedUups', (await safe(2, signers(3))).address)
    return {
      address,
      change: () => write(address, SLOTS.ownable5, wordOf(eoa(1))),
      field: 'owner',
      label: 'single_key',
    }
  },
  'singleton of a Safe': async () => {
    const { address } = await safe(2, signers(3))
    const other = await evm.deploy(safeContract('1.3.0', 'GnosisSafeL2'))
    return {
      address,
      change: () => write(address, SLOTS.slot0, wordOf(other.address)),
      field: 'singleton',
      label: 'multisig',
    }
  },
  'singleton of a Safe, by another contract': async () => {
    const { address } = await safe(2, signers(3))
    const other = (await evm.deploy(own('FakeSafe'))).address
    return { address, change: () => write(address, SLOTS.slot0, wordOf(other)), field: 'singleton', label: 'unknown' }
  },
  'singleton of a Safe, by a contract that answers nothing': async () => {
    const { address } = await safe(2, signers(3))
    const other = await plain()
    return { address, change: () => write(address, SLOTS.slot0, wordOf(other)), field: 'singleton', label: 'unknown' }
  },
  'threshold of a Safe': async () => {
    const { address } = await safe(2, signers(3))
    return {
      address,
      change: () => write(address, SLOTS.slot4, wordOf(1)),
      field: 'safeThreshold',
      label: 'single_key',
    }
  },
  'guard of a Safe': async () => {
    const { address } = await safe(2, signers(3))
    const change = () => write(address, SLOTS.safeGuard, wordOf(eoa(5)))
    return { address, change, field: 'guard', label: 'multisig' }
  },
  'module guard of a Safe': async () => {
    const { address } = await safe(2, signers(3), '1.5.0')
    const change = () => write(address, SLOTS.safeModuleGuard, wordOf(eoa(5)))
    return { address, change, field: 'moduleGuard', label: 'multisig' }
  },
  'fallback handler of a Safe': async () => {
    const { address } = await safe(2, signers(3))
    const change = () => write(address, SLOTS.safeFallbackHandler, wordOf(eoa(5)))
    return { address, change, field: 'fallbackHandler', label: 'multisig' }
  },
  'module of a Safe': async () => {
    const { address } = await safe(2, signers(3))
    // `modules` is a list in a mapping: the sentinel points to the new one, which points back.
    const change = async () => {
      await node?.rpc('anvil_setStorageAt', address, inMapping(1, wordOf(eoa(6))), wordOf(1))
      await write(address, inMapping(1, wordOf(1)), wordOf(eoa(6)))
    }
    return { address, change, field: 'modules', label: 'single_key' }
  },
  'owner of a Safe': async () => {
    const { address } = await safe(2, signers(3))
    // Another account replaces signer 1 between 0 and 2.
    const change = async () => {
      await node?.rpc('anvil_setStorageAt', address, inMapping(2, wordOf(eoa(0))), wordOf(eoa(66)))
      await write(address, inMapping(2, wordOf(eoa(66))), wordOf(eoa(2)))
    }
    // Signer 1 is still in the table, outside of the list.
    return { address, change, field: 'owners', label: 'unknown' }
  },
  delay: async () => {
    const { address } = await councilLock()
    return { address, change: () => write(address, wordOf(2), wordOf(1)), field: 'minDelay', label: 'short_timelock' }
  },
  code: async () => {
    const address = await plain()
    const other = await evm.deploy(own('ZosProxy'), await plain(), eoa(1))
    const code = await node?.rpc<Hex>('eth_getCode', other.address, 'latest')
    return { address, change: () => setCode(address, code as Hex), field: 'codeHash', label: 'unknown' }
  },
}

const inMapping = (slot: number, key: Hex): Hex => keccak(`${key}${wordOf(slot).slice(2)}` as Hex)

test('every silent change is reported exactly once, and the label follows', options, async () => {
  for (const [name, setUp] of Object.entries(SILENT)) {
    const { address, change, field, label } = await setUp()
    assert.deepEqual(await fieldsOf(address), [], name)
    await change()
    const { silent, profile } = await poll(address)
    assert.deepEqual(
      [silent.map((each) => each.field), profile.label],
      [[field], label],
      `${name}: ${reasonTexts(profile.reasons).join(' ')}`,
    )
    assert.deepEqual(await fieldsOf(address), [], `${name}, again`)
    assert.equal((await eventsOf(address)).length, 1, name)
  }
})

test('running code is stored for source checks, and new logic is checked first', options, async () => {
  const { address } = await transparent4(eoa(9))
  const logicOf = async (): Promise<Hex> =>
    `0x${((await node?.rpc<Hex>('eth_getStorageAt', address, SLOTS.implementation, 'latest')) ?? '').slice(-40)}`
  const codeHash = async (at: Hex) => keccak((await node?.rpc<Hex>('eth_getCode', at, 'latest')) ?? '0x').slice(2)
  const kept = async () => {
    const { rows } = await database.query<{ address: string; hash: string; is_first: boolean }>(
      sql`select encode(s.address, 'hex') as address, encode(code_hash, 'hex') as hash, check_at = '-infinity' as is_first
       from source_check s where s.address = $1 or s.address in (select source from profile_source where address = $1)
       order by check_at`,
      [Buffer.from(address.slice(2), 'hex')],
    )
    return rows
  }
  await poll(address)
  const first = await logicOf()
  const row = async (at: Hex, is_first: boolean) => ({ address: at.slice(2), hash: await codeHash(at), is_first })
  assert.deepEqual(
    new Set((await kept()).map((each) => JSON.stringify(each))),
    new Set([await row(address, false), await row(first, false)].map((each) => JSON.stringify(each))),
  )
  const abi = openZeppelin4('ITransparentUpgradeableProxy').abi
  const next = (await evm.deploy(own('OwnedToken'), eoa(1))).address
  await as(eoa(9), { address, abi }, 'upgradeTo', next)
  await poll(address)
  assert.deepEqual(await kept(), [await row(next, true), await row(address, false)])
})

/** Each changes something with the log that belongs to it. */
const ANNOUNCED: Readonly<Record<string, () => Promise<Omit<Setup, 'field' | 'label'>>>> = {
  'an upgrade to logic with other functions': async () => {
    const proxy = await transparent4(eoa(9))
    const abi = openZeppelin4('ITransparentUpgradeableProxy').abi
    const next = (await evm.deploy(own('OwnedToken'), eoa(1))).address
    return { address: proxy.address, change: () => as(eoa(9), { address: proxy.address, abi }, 'upgradeTo', next) }
  },
  'another admin': async () => {
    const proxy = await transparent4(eoa(9))
    const abi = openZeppelin4('ITransparentUpgradeableProxy').abi
    return {
      address: proxy.address,
      change: () => as(eoa(9), { address: proxy.address, abi }, 'changeAdmin', eoa(8)),
    }
  },
  'another owner': async () => {
    const proxy = await uups('OwnedUups', eoa(9))
    return { address: proxy.address, change: () => as(eoa(9), proxy, 'transferOwnership', eoa(8)) }
  },
  'no owner': async () => {
    const proxy = await uups('OwnedUups', eoa(9))
    return { address: proxy.address, change: () => as(eoa(9), proxy, 'renounceOwnership') }
  },
  'an owner in two steps': async () => {
    const hall = await evm.deploy(own('Hall'), eoa(9))
    const change = async () => {
      await as(eoa(9), hall, 'transferOwnership', eoa(8))
      assert.deepEqual(await fieldsOf(hall.address), [])
      await as(eoa(9), hall, 'pause')
      await as(eoa(8), hall, 'acceptOwnership')
    }
    return { address: hall.address, change }
  },
  'everything a Safe can change': async () => {
    const wallet = await safe(2, signers(3))
    const self = (name: string, ...args: readonly unknown[]) => as(wallet.address, wallet, name, ...args)
    const change = async () => {
      await self('addOwnerWithThreshold', eoa(4), 3n)
      await self('swapOwner', eoa(4), eoa(0), eoa(5))
      await self('enableModule', await plain())
      await self('enableModule', await plain())
      await self('changeThreshold', 1n)
      await self('setFallbackHandler', eoa(7))
    }
    return { address: wallet.address, change }
  },
  'the guards of a Safe': async () => {
    const wallet = await safe(2, signers(3), '1.5.0')
    for (const slot of [SLOTS.safeGuard, SLOTS.safeModuleGuard]) await write(wallet.address, slot, wordOf(eoa(5)))
    const change = async () => {
      await as(wallet.address, wallet, 'setGuard', zeroAddress)
      await as(wallet.address, wallet, 'setModuleGuard', zeroAddress)
    }
    return { address: wallet.address, change }
  },
  'another delay': async () => {
    const lock = await councilLock()
    return { address: lock.address, change: () => as(lock.address, lock, 'updateDelay', 60n) }
  },
  'another implementation of a beacon': async () => {
    const beacon = await evm.deploy(openZeppelin4('UpgradeableBeacon'), await plain())
    const { address } = await evm.deploy(openZeppelin4('BeaconProxy'), beacon.address, '0x')
    return { address, change: async () => evm.send(beacon, 'upgradeTo', [await plain()]) }
  },
}

test('a change that a log announced is not silent', options, async () => {
  for (const [name, setUp] of Object.entries(ANNOUNCED)) {
    const { address, change } = await setUp()
    await poll(address)
    await change()
    assert.deepEqual(await fieldsOf(address), [], name)
    assert.deepEqual(await eventsOf(address), [], name)
  }
})

test('an upgrade to logic that every caller can initialize is critical', options, async () => {
  const proxy = await transparent4(eoa(9))
  await poll(proxy.address)
  const logic = await evm.deploy(own('OwnedUups'))
  const { abi } = openZeppelin4('ITransparentUpgradeableProxy')
  await as(eoa(9), { address: proxy.address, abi }, 'upgradeTo', logic.address)
  await poll(proxy.address)
  const [upgrade] = await getUpgrades(database, { chainId: 1, address: proxy.address }, 1)
  assert.ok(upgrade)
  const { openInitializers } = upgrade.report
  assert.deepEqual(
    openInitializers.map(({ selector }) => selector),
    ['0xc4d66de8'],
  )
  assert.equal(upgradeSeverity(upgrade.report), 'critical')
})

test('a log about another field or value announces nothing', options, async () => {
  const proxy = await transparent4(eoa(9))
  const abi = openZeppelin4('ITransparentUpgradeableProxy').abi
  await poll(proxy.address)
  const other = await plain()
  await as(eoa(9), { address: proxy.address, abi }, 'upgradeTo', other)
  await as(eoa(9), { address: proxy.address, abi }, 'upgradeTo', await plain())
  await write(proxy.address, SLOTS.implementation, wordOf(other))
  assert.deepEqual(await fieldsOf(proxy.address), ['implementation'], 'announced first, and written back past the log')
  const wallet = await safe(2, signers(3))
  await poll(wallet.address)
  await as(wallet.address, wallet, 'addOwnerWithThreshold', eoa(4), 2n)
  await write(wallet.address, SLOTS.slot4, wordOf(1))
  assert.deepEqual(await fieldsOf(wallet.address), ['safeThreshold'])
  await as(wallet.address, wallet, 'enableModule', await plain())
  await write(wallet.address, SLOTS.safeGuard, wordOf(eoa(5)))
  assert.deepEqual(await fieldsOf(wallet.address), ['guard'])
})

/** Polls once for every read of a poll (or every `step`th), each time with another read that fails. */
async function failEach(
  address: Hex,
  each: (failing: number, poll: () => Promise<PollResult | undefined>) => Promise<void>,
  step = 1,
) {
  let [requests, failing] = [0, 0]
  const broken: RpcPool = {
    ...pool,
    request: <T>(request: RpcRequest<T>, given = {}) => {
      requests += 1
      // A fallback of the request would succeed.
      const { fallback: _, ...withoutFallback } = request
      return pool.request(requests === failing ? { ...withoutFallback, method: 'eth_noSuchMethod' } : request, given)
    },
  }
  // Requests of known code can fail too; only its analysis is reused.
  const uncached = { ...codes, find: async () => undefined }
  const pollOnce = () => poll(address, { ...deps, codes: uncached, poolOf: () => broken }).catch(() => undefined)
  do {
    failing += step
    requests = 0
    await each(failing, pollOnce)
  } while (requests >= failing)
  return failing
}

test('no failed read causes an event or a label change', options, async () => {
  const { address } = await transparent5((await timelock(2n * DAY, [(await safe(2, signers(3))).address])).address)
  assert.equal((await poll(address)).profile.label, 'timelocked')
  let stale = 0
  const reads = await failEach(
    address,
    async (failing, pollOnce) => {
      const found = await pollOnce()
      assert.deepEqual(found?.silent ?? [], [])
      assert.equal((await findProfile(database, { chainId: 1, address }))?.label, 'timelocked', `read ${failing}`)
      if (found?.profile.stale === true) stale += 1
      // A long chain of control; adversary.test.ts has every read of every setup fail.
    },
    3,
  )
  assert.ok(reads > 8 && stale > 3, `${reads} reads, ${stale} stale`)
  assert.equal((await poll(address)).profile.stale, false)
  assert.equal((await changesOf(address)).length, 1)
})

test('no failed read turns an announced change into a silent one', options, async () => {
  const proxy = await uups('OwnedUups', eoa(9))
  const { address } = proxy
  await poll(address)
  let [owner, next] = [eoa(9), eoa(8)]
  const reads = await failEach(address, async (failing, pollOnce) => {
    await as(owner, proxy, 'transferOwnership', next)
    ;[owner, next] = [next, owner]
    await pollOnce()
    await evm.mine(1)
    assert.deepEqual(await fieldsOf(address), [], `read ${failing}`)
    assert.equal((await findSnapshot(database, { chainId: 1, address }))?.fields.owner, owner, `read ${failing}`)
  })
  assert.ok(reads > 8, `${reads} reads`)
  assert.deepEqual(await eventsOf(address), [])
  await write(address, SLOTS.ownable5, wordOf(eoa(1)))
  assert.deepEqual(await fieldsOf(address), ['owner'], 'logs before the last poll announce nothing now')
})

test('no failed read hides or repeats a silent change', options, async () => {
  const { address } = await safe(2, signers(3))
  const singleton = (await node?.rpc<Hex>('eth_getStorageAt', address, SLOTS.slot0, 'latest')) ?? '0x'
  const other = wordOf(await plain())
  await poll(address)
  const reads = await failEach(address, async (failing, pollOnce) => {
    const known = (await eventsOf(address)).length
    await write(address, SLOTS.slot0, other)
    await pollOnce()
    await poll(address)
    assert.equal((await eventsOf(address)).length, known + 1, `read ${failing}`)
    await write(address, SLOTS.slot0, singleton)
    assert.deepEqual(await fieldsOf(address), ['singleton'], `read ${failing}, put back`)
  })
  assert.ok(reads > 8, `${reads} reads`)
  assert.deepEqual(
    new Set((await eventsOf(address)).map(({ event_key }) => event_key)),
    new Set(['slot.safe_singleton_changed']),
  )
})

test('a change that only one endpoint shows is not trusted, nor an endpoint that lags', options, async () => {
  const { address } = await safe(2, signers(3))
  await poll(address)
  const lying = withFalseSlot(pool, 'safeGuard', eoa(66), 1)
  const seen = await poll(address, { ...deps, poolOf: () => lying })
  assert.deepEqual([seen.silent, seen.profile.label, seen.profile.stale], [[], 'multisig', true])
  assert.deepEqual((await poll(address)).silent, [], 'nor was it kept')
  const past = await evm.blockNumber()
  await write(address, SLOTS.slot4, wordOf(1))
  assert.deepEqual(await fieldsOf(address), ['safeThreshold'])
  const behindThen: RpcPool = {
    ...pool,
    request: (request, given) =>
      pool.request(
        request.params[0] === 'latest' ? { ...request, params: [`0x${past.toString(16)}`, false] } : request,
        given,
      ),
  }
  await assert.rejects(
    poll(address, { ...deps, poolOf: () => behindThen }),
    /No endpoint of chain 1 has the required block/,
  )
  assert.equal((await eventsOf(address)).length, 1)
})

test(
  'an observation of the only available endpoint is reported after ten minutes, and no label stands longer',
  options,
  async () => {
    const { address } = await safe(2, signers(3))
    await poll(address)
    const urls = [node?.url ?? '', 'http://127.0.0.1:9']
    const alone = createRpcPool({ timing: systemTiming, report: () => {} }, { chain: 'ethereum', chainId: 1, urls })
    const lookAlone = async () => {
      const { silent, profile } = await poll(address, { ...deps, poolOf: () => alone })
      return [silent.map(({ field }) => field), profile.label, profile.stale]
    }
    await write(address, SLOTS.slot4, wordOf(1))
    assert.deepEqual(await lookAlone(), [[], 'multisig', true])
    await evm.pass(300)
    await evm.mine(1)
    assert.deepEqual(await lookAlone(), [[], 'multisig', true])
    await evm.pass(300)
    await evm.mine(1)
    assert.deepEqual(await lookAlone(), [['safeThreshold'], 'single_key', false])
    assert.deepEqual(await lookAlone(), [[], 'single_key', false])
    assert.equal((await eventsOf(address)).length, 1)
    alone.close()
  },
)

test('polls at reorganized blocks are rolled back, and their events are retracted', options, async () => {
  const { address } = await safe(2, signers(3))
  await poll(address)
  const point = await node?.rpc<Hex>('evm_snapshot')
  await write(address, SLOTS.slot4, wordOf(1))
  assert.deepEqual(await fieldsOf(address), ['safeThreshold'])
  await evm.mine(2)
  await poll(address)
  await node?.rpc('evm_revert', point)
  await evm.pass(100)
  await evm.mine(5)
  assert.equal((await poll(address)).profile.label, 'multisig')
  assert.deepEqual(await eventsOf(address), [])
  assert.equal((await changesOf(address)).length, 1)
  await write(address, SLOTS.slot4, wordOf(1))
  assert.deepEqual(await fieldsOf(address), ['safeThreshold'], 'on this branch it is news')
})

test('two concurrent polls report a change once', options, async () => {
  const { address } = await safe(2, signers(3))
  await poll(address)
  await write(address, SLOTS.slot4, wordOf(1))
  const reported = await Promise.all([fieldsOf(address), fieldsOf(address), fieldsOf(address)])
  assert.deepEqual(reported.flat(), ['safeThreshold'])
  assert.equal((await eventsOf(address)).length, 1)
})

test(
  'a silent change of a controller moves the labels below it at once, and is named as their cause',
  options,
  async () => {
    const poller = createPoller(deps)
    const orders: Readonly<Record<string, (held: Hex, council: Hex) => Promise<unknown>>> = {
      'the controller first': async (_, council) => {
        assert.deepEqual(await fieldsOf(council), ['safeThreshold'])
        await poller.pollRequested(1)
      },
      'the contract first': async (held, council) => [await poll(held), await poll(council)],
      'both at once': (held, council) => poller.round(1, new Date(0), { only: [held, council] }),
    }
    for (const [name, pollBoth] of Object.entries(orders)) {
      const council = (await safe(2, signers(3))).address
      const { address } = await transparent4(council)
      for (const each of [address, council]) await poll(each)
      await write(council, SLOTS.slot4, wordOf(1))
      await pollBoth(address, council)
      const changes = await changesOf(address)
      assert.deepEqual(
        changes.map(({ to_label }) => to_label),
        ['multisig', 'single_key'],
        name,
      )
      assert.deepEqual(
        changes[1]?.cause.map(({ eventKey }) => eventKey),
        ['slot.safe_threshold_changed'],
        name,
      )
    }
  },
)

test('a round polls every known contract once', options, async () => {
  const plainOne = await plain()
  for (const address of [(await safe(2, signers(3))).address, plainOne])
    await saveContract(database, { chainId: 1, address })
  const poller = createPoller(deps)
  const began = new Date()
  const { rows: known } = await database.query(sql`select from contract`)
  assert.ok(known.length > 2, 'controllers of contracts polled before are included')
  assert.deepEqual(await poller.round(1, began), { polled: known.length, failed: 0, silent: 0 })
  assert.deepEqual(await poller.round(1, began), { polled: 0, failed: 0, silent: 0 })
  const { rows } = await database.query(sql`select kind from contract where source = 'manual' order by kind`)
  assert.deepEqual(rows, [{ kind: 'immutable' }, { kind: 'safe' }])
})
