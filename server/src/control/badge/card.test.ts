import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelCard, renderCard } from './card.ts'

test('a card states subject, label and the power that decides the tone, in the color of the tone', () => {
  const power = { effect: 'mint', label: 'single_key' } as const
  const badge = { label: 'immutable', tone: 'red', power, subject: 'Juniper Token' } as const
  const svg = renderCard(labelCard(badge, 'on Ethereum'))
  for (const text of ['Juniper Token', 'on Ethereum', 'Not upgradeable', 'One key can mint', '#cf222e'])
    assert.ok(svg.includes(text), text)
  assert.ok(!svg.includes('#1a7f37'))
})

test('names are texts that anyone can write: they are escaped, made smaller and cut', () => {
  const svg = renderCard(labelCard({ label: 'multisig', subject: `<image href="x"/>${'W'.repeat(5_000)}` }, ''))
  assert.ok(!svg.includes('<image'))
  assert.ok(svg.includes('…'))
  assert.ok(svg.length < 2_500, `${svg.length}`)
  assert.match(svg, /font-size="4\d"[^>]*>&lt;image/)
})
