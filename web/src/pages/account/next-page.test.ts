import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextPage } from './next-page.ts'

test('whoever signs in goes on to a page of ours, whatever a link says', () => {
  assert.equal(nextPage('next=%2Faccount%2Falerts%3Fprotocol%3Daave'), '/account/alerts?protocol=aave')
  assert.equal(nextPage(''), '/account')
  for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', 'account'])
    assert.equal(nextPage(new URLSearchParams({ next }).toString()), '/account', next)
})
