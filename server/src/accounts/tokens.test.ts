import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { test } from 'node:test'
import { type TokenRules, verifyToken } from './tokens.ts'

const ours = generateKeyPairSync('ed25519')
const NOW = Date.UTC(2026, 2, 1)
const SECONDS = NOW / 1000
const rules: TokenRules = {
  findKey: (id) => Promise.resolve(id === '1' ? ours.publicKey.export({ format: 'jwk' }) : undefined),
  issuer: 'https://gatewatch.example',
  audience: 'https://gatewatch.example',
  now: NOW,
}
const HEAD = { alg: 'EdDSA', kid: '1' }
const CLAIMS = {
  sub: 'me',
  sid: 'session',
  iss: rules.issuer,
  aud: rules.audience,
  iat: SECONDS - 10,
  exp: SECONDS + 10,
}

function tokenOf(claims: object, head: object = HEAD, key: KeyObject = ours.privateKey): string {
  const signed = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
}
const subject = async (token: string) => (await verifyToken(token, rules))?.accountId
const without = (claim: string) => Object.fromEntries(Object.entries(CLAIMS).filter(([name]) => name !== claim))

test('a valid token identifies its account', async () => {
  assert.equal(await subject(tokenOf(CLAIMS)), 'me')
  assert.equal(await subject(tokenOf({ ...CLAIMS, aud: ['https://other.example', rules.audience] })), 'me')
})

test('every claim is checked', async () => {
  for (const wrong of [
    { ...CLAIMS, aud: 'https://other.example' },
    { ...CLAIMS, iss: 'https://other.example' },
    { ...CLAIMS, exp: SECONDS },
    { ...CLAIMS, exp: String(SECONDS + 10) },
    { ...CLAIMS, nbf: SECONDS + 1 },
    { ...CLAIMS, sub: '' },
    { ...CLAIMS, sid: '' },
    ...['sub', 'sid', 'iss', 'aud', 'exp'].map(without),
  ])
    assert.equal(await subject(tokenOf(wrong)), undefined, JSON.stringify(wrong))
})

test('the header cannot choose the algorithm or the key', async () => {
  for (const head of [
    { ...HEAD, alg: 'none' },
    { ...HEAD, alg: 'HS256' },
    { ...HEAD, alg: 'ES256' },
    { ...HEAD, crit: ['x'] },
    { alg: 'EdDSA' },
    { ...HEAD, kid: '2' },
  ])
    assert.equal(await subject(tokenOf(CLAIMS, head)), undefined, JSON.stringify(head))
  assert.equal(await subject(tokenOf(CLAIMS, HEAD, generateKeyPairSync('ed25519').privateKey)), undefined)
})

test('malformed tokens are rejected', async () => {
  const token = tokenOf(CLAIMS)
  for (const wrong of ['', '..', 'a.b.c', token.slice(0, -6), `${token}.x`, token.split('.').slice(0, 2).join('.')])
    assert.equal(await subject(wrong), undefined, wrong)
})

test('a failure to read the key is not reported as an invalid token', async () => {
  const findKey = () => Promise.reject(new Error('database outage'))
  await assert.rejects(verifyToken(tokenOf(CLAIMS), { ...rules, findKey }), /database outage/)
})
