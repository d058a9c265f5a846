import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LABELS } from '../../../../vocabulary/labels.ts'
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

test('a protocol is as strong as its weakest contract', () => {
  assert.deepEqual(protocolBadge('P', ['immutable', 'multisig', 'multisig']), {
    label: 'multisig',
    subject: 'P',
    detail: '2 of 3 contracts',
  })
  assert.equal(protocolBadge('P', ['timelocked', 'unknown']).label, 'unknown')
  assert.equal(protocolBadge('P', ['unknown', 'single_key']).label, 'single_key')
  assert.deepEqual(protocolBadge('P', []), { label: 'unknown', subject: 'P' })
  assert.equal(protocolBadge('P', ['immutable']).detail, '1 of 1 contract')
})

test('an address is shortened', () => {
  assert.equal(shortAddress('0x00000000000000000000000000000000c0ffee11'), '0x0000…ee11')
})
