import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextPage } from './after-sign-in.ts'

test('sign-in continues only to a page of this site', () => {
  assert.equal(nextPage('next=%2Faccount%2Falerts%3Fprotocol%3Daave'), '/account/alerts?protocol=aave')
  assert.equal(nextPage(''), '/account')
  for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', 'account'])
    assert.equal(nextPage(new URLSearchParams({ next }).toString()), '/account', next)
})
