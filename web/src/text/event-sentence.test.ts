import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogRows } from '../../../server/src/control/catalog/events/rows.ts'
import { SLOT_EVENTS, UNPUBLISHED } from '../../../server/src/control/catalog/slot-events.ts'
import { headlineOf, plainSentence, sentenceOf } from './event-sentence.ts'
import { SLOT_FIELDS, TEMPLATES } from './sentence-templates.ts'

const [a, b] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`]
const said = (eventKey: string, args: Record<string, unknown>) => plainSentence({ eventKey, args })

test('templates are filled with arguments, from one to the other', () => {
  assert.equal(
    plainSentence({ eventKey: 'ownable.transferred', args: { previousOwner: a, newOwner: b } }),
    `Ownership moved from ${a} to ${b}`,
  )
  assert.deepEqual(sentenceOf({ eventKey: 'proxy.upgraded', args: { implementation: a } }).at(-1), {
    kind: 'account',
    address: a,
  })
})

test('durations, instants, roles, counts and nobody are words', () => {
  assert.equal(
    said('timelock.min_delay_changed', { oldDuration: '172800', newDuration: '3600' }),
    'Delay changed from 2 d to 1 h',
  )
  assert.equal(
    said('access.role_granted', { role: `0x${'0'.repeat(64)}`, account: a, sender: b }),
    `Default admin role granted to ${a} by ${b}`,
  )
  assert.equal(said('safe.setup', { threshold: '2', owners: [a, b] }), 'Safe set up with 2 of 2 signers')
  assert.equal(
    said('ownable.transferred', { previousOwner: a, newOwner: `0x${'0'.repeat(40)}` }),
    `Ownership moved from ${a} to nobody`,
  )
  assert.equal(said('fiat.minter_configured', { minter: a, minterAllowedAmount: '5000000' }), `${a} may mint 5,000,000`)
  assert.equal(
    said('fiat.minter_configured', { minter: a, minterAllowedAmount: `1500${'0'.repeat(18)}` }),
    `${a} may mint 1,500 × 10¹⁸`,
  )
  assert.equal(said('governor.proposal_executed', { proposalId: '9'.repeat(70) }), 'Proposal 9999999999… executed')
  assert.equal(said('timelock.new_delay', { delay: '86400' }), 'Delay set to 1 d')
})

test('what a log lacks is left out, or told by the names of its arguments', () => {
  assert.equal(plainSentence({ eventKey: 'pause.paused', args: {} }), 'Paused')
  assert.equal(plainSentence({ eventKey: 'pause.paused', args: { account: a } }), `Paused by ${a}`)
  assert.equal(
    plainSentence({ eventKey: 'aave.oracle_updated', args: { oldAddress: a, newAddress: b } }),
    `Aave: oracle updated ${a} → ${b}`,
  )
  assert.equal(
    plainSentence({
      eventKey: 'governor.quorum_numerator',
      args: { oldQuorumNumerator: '4', newQuorumNumerator: '8' },
    }),
    'Governor: quorum numerator 4 → 8',
  )
  assert.match(plainSentence({ eventKey: 'proxy.upgraded', args: { decode: 'mismatch' } }), /in a form of its own/)
})

test('code without published source is not told as a silent change', () => {
  assert.equal(
    said(UNPUBLISHED.key, { field: 'implementation', previous: a, current: b }),
    `Source of the new implementation ${b} is not published`,
  )
})

test('a silent change names its field', () => {
  assert.equal(
    plainSentence({
      eventKey: 'slot.min_delay_changed',
      args: { field: 'minDelay', previous: '86400', current: null },
    }),
    'Delay of the timelock changed without an event: 1 d → nothing',
  )
  for (const field of Object.keys(SLOT_EVENTS)) assert.ok(field in SLOT_FIELDS, field)
})

test('every template belongs to a catalogued event and names arguments some layout of it has', () => {
  for (const [key, template] of Object.entries(TEMPLATES)) {
    const layouts = catalogRows.filter((row) => row.key === key).map(({ event }) => event)
    assert.notEqual(layouts.length, 0, `${key} is catalogued`)
    for (const [, name = ''] of template.replaceAll(/\[[^\]]*\]/g, '').matchAll(/\{(\w+)/g))
      assert.ok(
        layouts.some((layout) => new RegExp(`\\b${name}\\b`).test(layout)),
        `${key}: ${name} is in ${layouts.join('; ')}`,
      )
  }
})

test('every catalogued event has a sentence', () => {
  for (const { key } of catalogRows) assert.notEqual(plainSentence({ eventKey: key, args: {} }), '')
  assert.equal(headlineOf('aave.oracle_updated'), 'Aave: oracle updated')
})

test('what a Safe sends is told by the function it calls, and a delegate call is never left out', () => {
  const sent = { to: a, value: '0', data: '0x8456cb59', operation: '0' }
  assert.equal(said('safe.multisig_tx', sent), `Safe transaction to ${a}: pause`)
  assert.equal(
    said('safe.multisig_tx', { ...sent, value: '12000', data: '0x12345678ab', operation: '1' }),
    `Safe transaction to ${a}: function 0x12345678, with 12,000 wei, as a delegate call`,
  )
  assert.equal(
    said('safe.multisig_tx', { ...sent, data: '0x', value: '1' }),
    `Safe transaction to ${a}: a payment, with 1 wei`,
  )
})
