import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LABEL_TONES, LABELS, type Label } from '../../../../vocabulary/labels.ts'
import { EFFECTS } from '../../../../vocabulary/powers.ts'
import { escapeXml, protocolBadge, renderBadge, shortAddress, THEMES, themeOf } from './badge.ts'

test('every label in both themes is an image of 250 by 54 with an accessible title', () => {
  const seen = new Set<string>()
  for (const theme of THEMES)
    for (const label of LABELS) {
      const svg = renderBadge({ label, subject: 'Vault' }, theme)
      assert.match(svg, /^<svg [^>]*width="250" height="54" viewBox="0 0 250 54" role="img" aria-label="Vault: /)
      assert.match(svg, /<title>Vault: [^<]+<\/title>/)
      assert.equal(seen.has(svg), false)
      seen.add(svg)
    }
})

test('every text is escaped', () => {
  const svg = renderBadge({ label: 'multisig', subject: `</title><script>alert("1")</script>&'\u0000\ud800` }, 'light')
  assert.doesNotMatch(svg, /<script|\p{Cc}|\ud800/u)
  assert.match(svg, /&lt;script&gt;alert\(&quot;1&quot;\)&lt;\/script&gt;&amp;&#39;/)
  assert.equal(escapeXml('a\u0008b\ufffec'), 'abc')
})

test('the longest texts do not overflow', () => {
  for (const subject of ['W'.repeat(500), '界'.repeat(80), '👩‍👩‍👧‍👦'.repeat(40), 'x '.repeat(200)]) {
    const svg = renderBadge({ label: 'single_key', subject, detail: '1234 of 5678 contracts', stale: true }, 'dark')
    const [, fixedLength = '', shown = ''] = /<text x="48" y="41"([^>]*)>([^<]*)</.exec(svg) ?? []
    assert.match(fixedLength, /textLength="192"/)
    assert.match(shown, /… · 1234 of 5678 contracts · stale$/, 'the subject is cut, not the detail')
    assert.ok(shown.length < 200)
  }
  for (const label of LABELS) {
    const [, fixedLength = '', shown = ''] =
      /<text x="48" y="24"([^>]*)>([^<]*)</.exec(renderBadge({ label, subject: '' }, 'light')) ?? []
    assert.doesNotMatch(shown, /…/, 'a label is never cut')
    assert.ok(shown.length < 25 || /textLength="192"/.test(fixedLength), `${shown} might be too wide`)
  }
})

test('an unknown theme is the light one', () => {
  assert.deepEqual(['dark', 'light', 'DARK', '', undefined, ['dark']].map(themeOf), [
    'dark',
    'light',
    'light',
    'light',
    'light',
    'light',
  ])
})

const having = (...labels: readonly Label[]) => labels.map((label) => ({ label, tone: LABEL_TONES[label] }))

test('a protocol is as strong as its weakest contract', () => {
  const { label, tone, detail, power } = protocolBadge('P', having('immutable', 'multisig', 'multisig'))
  assert.deepEqual([label, tone, detail, power], ['multisig', 'amber', '2 of 3 contracts', undefined])
  assert.equal(protocolBadge('P', having('timelocked', 'unknown')).label, 'unknown')
  assert.equal(protocolBadge('P', having('unknown', 'single_key')).label, 'single_key')
  assert.deepEqual(protocolBadge('P', []), { label: 'unknown', subject: 'P' })
  assert.equal(protocolBadge('P', having('immutable')).detail, '1 of 1 contract')
})

test('a power that decides the tone has a line and the color; the text of the label stays', () => {
  const power = { effect: 'mint', label: 'single_key' } as const
  const svg = renderBadge({ label: 'immutable', tone: 'red', power, subject: 'Token' }, 'light')
  assert.match(svg, />Not upgradeable<.*>One key can mint<.*>Token</)
  assert.match(svg, /stroke="#cf222e"/)
  assert.match(svg, /<title>Token: Not upgradeable. One key can mint<\/title>/)
  const protocol = protocolBadge('P', [...having('immutable', 'immutable'), { label: 'immutable', tone: 'red', power }])
  assert.deepEqual([protocol.label, protocol.tone, protocol.power], ['immutable', 'red', power])
})

test('no line about a power is cut', () => {
  for (const effect of EFFECTS)
    for (const label of LABELS) {
      const svg = renderBadge({ label: 'immutable', tone: 'red', power: { effect, label }, subject: '' }, 'dark')
      assert.doesNotMatch(svg, /…/, `${effect} ${label}`)
    }
})

test('an address is shortened', () => {
  assert.equal(shortAddress('0x00000000000000000000000000000000c0ffee11'), '0x0000…ee11')
})
