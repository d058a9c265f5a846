import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogRows } from '../server/src/control/catalog/events/rows.ts'
import { POWERS_CHANGED, SLOT_EVENTS, UNPUBLISHED, WEAKENED } from '../server/src/control/catalog/slot-events.ts'
import { TRANSACTION_EVENTS } from '../server/src/control/catalog/transaction-events.ts'
import { eventSentence, eventText, eventTitle, plainText } from './event-sentence.ts'
import { EVENT_TEMPLATES, STATE_FIELD_NAMES } from './event-templates.ts'

const [a, b] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`]
const textOf = (eventKey: string, args: Record<string, unknown>) => eventText({ eventKey, args })

test('the arguments of an event fill its template', () => {
  assert.equal(
    eventText({ eventKey: 'ownable.transferred', args: { previousOwner: a, newOwner: b } }),
    `Ownership transferred from ${a} to ${b}`,
  )
  assert.deepEqual(eventSentence({ eventKey: 'proxy.upgraded', args: { implementation: a } }).at(-1), {
    kind: 'account',
    address: a,
  })
})

test('durations, times, roles, counts and the zero address are formatted', () => {
  assert.equal(
    textOf('timelock.min_delay_changed', { oldDuration: '172800', newDuration: '3600' }),
    'Delay changed from 2 d to 1 h',
  )
  assert.equal(
    textOf('access.role_granted', { role: `0x${'0'.repeat(64)}`, account: a, sender: b }),
    `Default admin role granted to ${a} by ${b}`,
  )
  assert.equal(textOf('safe.setup', { threshold: '2', owners: [a, b] }), 'Safe set up with 2 of 2 signers')
  assert.equal(
    textOf('ownable.transferred', { previousOwner: a, newOwner: `0x${'0'.repeat(40)}` }),
    `Ownership transferred from ${a} to the zero address`,
  )
  assert.equal(
    textOf('fiat.minter_configured', { minter: a, minterAllowedAmount: '5000000' }),
    `${a} can mint up to 5,000,000`,
  )
  assert.equal(
    textOf('fiat.minter_configured', { minter: a, minterAllowedAmount: `1500${'0'.repeat(18)}` }),
    `${a} can mint up to 1,500 × 10¹⁸`,
  )
  assert.equal(
    plainText(
      eventSentence(
        { eventKey: 'fiat.minter_configured', args: { minter: a, minterAllowedAmount: '5000000000000' } },
        { symbol: 'USDC', decimals: 6 },
      ),
    ),
    `${a} can mint up to 5,000,000 USDC`,
  )
  assert.equal(textOf('governor.proposal_executed', { proposalId: '9'.repeat(70) }), 'Proposal 9999999999… executed')
  assert.equal(textOf('timelock.new_delay', { delay: '86400' }), 'Delay changed to 1 d')
})

test('a time or a delay that a contract makes up is stated, whatever its size', () => {
  for (const eta of ['253402300800', '8640000000001', '9'.repeat(70)])
    assert.equal(
      textOf('governor.proposal_queued', { proposalId: '7', eta }),
      'Proposal 7 queued, executable from a time after the year 9999',
    )
  assert.equal(
    textOf('governor.proposal_queued', { proposalId: '7', eta: '253402300799' }),
    'Proposal 7 queued, executable from 9999-12-31 23:59:59 UTC',
  )
  assert.equal(textOf('timelock.new_delay', { delay: '9'.repeat(70) }), 'Delay changed to more than 10 million days')
})

test('a change of a threshold or a delay says from what, where that is known', () => {
  assert.equal(textOf('safe.changed_threshold', { threshold: '2' }), 'Threshold changed to 2')
  assert.equal(
    textOf('safe.changed_threshold', { threshold: '2', previousThreshold: '3' }),
    'Threshold changed from 3 to 2',
  )
  assert.equal(
    textOf('timelock.new_delay', { newDelay: '3600', previousDelay: '172800' }),
    'Delay changed from 2 d to 1 h',
  )
  assert.equal(
    textOf('timelock.min_delay_set', { newMinDelay: '3600', previousDelay: '7200' }),
    'Delay changed from 2 h to 1 h',
  )
})

test('changes of signers name who was added and who was removed', () => {
  assert.equal(
    textOf('safe.owners_replaced', { previous: [a], current: [b] }),
    `All signers of the Safe replaced: ${b} now, ${a} before`,
  )
  const owners = (previous: string | null, current: string | null) =>
    textOf('slot.owners_changed', { field: 'owners', previous, current })
  assert.equal(owners(`${a},${b}`, a), `Safe signers changed without an event: ${b} removed`)
  assert.equal(owners(a, b), `Safe signers changed without an event: ${b} added, ${a} removed`)
  const many = Array.from({ length: 8 }, (_, at) => `0x${String(at).repeat(40)}`).slice(1)
  assert.match(owners(null, many.join(',')), /: 0x1{40}, .*0x4{40} and 3 more added$/)
})

test('a missing argument is left out, and a key without a template uses its argument names', () => {
  assert.equal(eventText({ eventKey: 'pause.paused', args: {} }), 'Paused')
  assert.equal(eventText({ eventKey: 'pause.paused', args: { account: a } }), `Paused by ${a}`)
  assert.equal(
    eventText({ eventKey: 'aave.oracle_updated', args: { oldAddress: a, newAddress: b } }),
    `Aave: oracle updated ${a} → ${b}`,
  )
  assert.equal(
    eventText({
      eventKey: 'governor.quorum_numerator',
      args: { oldQuorumNumerator: '4', newQuorumNumerator: '8' },
    }),
    'Governor: quorum numerator 4 → 8',
  )
  assert.match(
    eventText({ eventKey: 'proxy.upgraded', args: { decode: 'mismatch' } }),
    /arguments could not be decoded/,
  )
})

test('an implementation without published source has its own sentence', () => {
  assert.equal(
    textOf(UNPUBLISHED.key, { field: 'implementation', previous: a, current: b }),
    `Source of the new implementation ${b} is not published`,
  )
})

test('a change of powers names the first one, and weaker control what it was', () => {
  const powers = (previous: string, current: string) =>
    textOf(POWERS_CHANGED.key, { field: 'powers', previous, current })
  assert.equal(
    powers(`mint:multisig:${a}`, `mint:multisig:${a}, mint:single_key:${b}`),
    `Powers changed: ${b} can now mint`,
  )
  assert.equal(powers(`mint:multisig:${a}`, ''), `Powers changed: ${a} can no longer mint`)
  assert.equal(
    powers(`mint:multisig:${a}`, `mint:unknown:${a}`),
    `Powers changed: ${a} can mint as before; who controls it is no longer known`,
  )
  assert.equal(
    powers(`mint:multisig:${a}`, `mint:single_key:${a}`),
    `Powers changed: ${a} can mint as before; its own control changed`,
  )
  assert.equal(
    textOf(WEAKENED.key, { field: 'control', previous: 'immutable:green', current: 'immutable:red' }),
    'Control became weaker: Not upgradeable, now red, before green',
  )
  assert.equal(
    textOf(WEAKENED.key, { field: 'control', previous: 'timelocked:green', current: 'multisig:amber' }),
    'Control became weaker: Multisig + 24h+ timelock → Multisig, no delay',
  )
  const cause = [{ eventKey: 'safe.multisig_tx' }, { eventKey: 'safe.exec_ok' }, { field: 'owner' }]
  assert.equal(
    textOf(WEAKENED.key, { field: 'control', previous: 'timelocked:green', current: 'multisig:amber', cause }),
    'Control became weaker: Multisig + 24h+ timelock → Multisig, no delay; cause: Safe transaction, Owner changed',
  )
})

test('a change without an event names its field', () => {
  assert.equal(
    eventText({
      eventKey: 'slot.min_delay_changed',
      args: { field: 'minDelay', previous: '86400', current: null },
    }),
    'Timelock delay changed without an event: 1 d → none',
  )
  for (const field of Object.keys(SLOT_EVENTS)) assert.ok(field in STATE_FIELD_NAMES, field)
})

test('code that appears is named by how it appeared', () => {
  const args = { field: 'codeHash', previous: null, current: `0x${'12'.repeat(32)}` }
  assert.equal(textOf('slot.code_changed', args), 'Code changed without an event: none → 0x12121212…')
  assert.equal(
    textOf('slot.code_changed', { ...args, appearance: 'deployment' }),
    'Contract deployed, code: 0x12121212…',
  )
  assert.equal(
    textOf('slot.code_changed', { ...args, appearance: 'redeployment' }),
    'Code deployed again where a contract was before: 0x12121212…',
  )
})

test('every template belongs to a cataloged event and uses arguments that one of its layouts has', () => {
  const ofTransactions = new Set(TRANSACTION_EVENTS.map(({ key }) => key))
  for (const [key, template] of Object.entries(EVENT_TEMPLATES)) {
    if (ofTransactions.has(key)) continue
    const layouts = catalogRows.filter((row) => row.key === key).map(({ event }) => event)
    assert.notEqual(layouts.length, 0, `${key} is cataloged`)
    for (const [, name = ''] of template.replaceAll(/\[[^\]]*\]/g, '').matchAll(/\{(\w+)/g))
      assert.ok(
        layouts.some((layout) => new RegExp(`\\b${name}\\b`).test(layout)),
        `${key}: ${name} is in ${layouts.join('; ')}`,
      )
  }
})

test('every cataloged event has a sentence', () => {
  for (const { key } of catalogRows) assert.notEqual(eventText({ eventKey: key, args: {} }), '')
  assert.equal(eventTitle('aave.oracle_updated'), 'Aave: oracle updated')
  assert.equal(eventTitle('oft.peer_set'), 'LayerZero: peer set')
})

test('numbers that name something are not grouped', () => {
  assert.equal(textOf('oft.peer_set', { eid: '30101', limit: '30101' }), 'LayerZero: peer set, eid 30101, limit 30,101')
})

test('events of transactions say what was done, and by whom', () => {
  const call = { to: b, function: 'upgradeTo(address)', sender: a }
  assert.equal(textOf('attempt.failed', call), `${a} tried to call upgradeTo of ${b} and failed`)
  assert.equal(textOf('safe.control_call', call), `Safe called upgradeTo of ${b}`)
  assert.match(textOf('safe.delegatecall_unknown', call), new RegExp(`^Safe delegated to ${b}, which is not a library`))
  assert.equal(
    textOf('safe.exec_ok', { txHash: '0x', payment: '0', calls: [call, {}, { function: '0x12345678' }, call] }),
    'Safe transaction executed: upgradeTo, a transfer without data, function 0x12345678 and more',
  )
  assert.equal(textOf('safe.exec_ok', { txHash: '0x', payment: '0' }), 'Safe transaction executed')
  assert.equal(
    textOf('safe.threshold_below_half', { threshold: 1, owners: 4 }),
    'Fewer than half of the signers can act: 1 of 4',
  )
  assert.match(textOf('safe.changed_guard', { guard: `0x${'0'.repeat(40)}` }), /^Guard removed/)
  for (const { key } of TRANSACTION_EVENTS) assert.ok(EVENT_TEMPLATES[key] !== undefined, key)
})

test('a Safe transaction names the called function, the value and a delegatecall', () => {
  const sent = { to: a, value: '0', data: '0x8456cb59', operation: '0' }
  assert.equal(textOf('safe.multisig_tx', sent), `Safe transaction to ${a}: pause`)
  assert.equal(
    textOf('safe.multisig_tx', { ...sent, value: '12000', data: '0x12345678ab', operation: '1' }),
    `Safe transaction to ${a}: function 0x12345678, with 0.000000000000012 of the native coin, as a delegatecall`,
  )
  assert.equal(
    textOf('safe.multisig_tx', { ...sent, data: '0x', value: '1500000000000000000' }),
    `Safe transaction to ${a}: a transfer without data, with 1.5 of the native coin`,
  )
})

test('a call in a timelock names the called function and the value', () => {
  const scheduled = { target: a, value: '0', data: '0x8456cb59', delay: '86400' }
  assert.equal(textOf('timelock.scheduled', scheduled), `Call to ${a} scheduled with a delay of 1 d: pause`)
  assert.equal(
    textOf('timelock.scheduled', { ...scheduled, data: '0x', value: '2000000000000000000' }),
    `Call to ${a} scheduled with a delay of 1 d: a transfer without data, with 2 of the native coin`,
  )
  const queued = { target: a, value: '0', signature: '', eta: '0' }
  assert.equal(textOf('timelock.executed_tx', queued), `Queued call to ${a} executed`)
  assert.equal(
    textOf('timelock.executed_tx', { ...queued, signature: 'pause()', value: '1' }),
    `Queued call to ${a} executed: pause(), with 0.000000000000000001 of the native coin`,
  )
  const long = textOf('timelock.executed_tx', { ...queued, signature: 'x'.repeat(5_000) })
  assert.ok(long.length < 200, 'a text of any emitter is cut')
})
