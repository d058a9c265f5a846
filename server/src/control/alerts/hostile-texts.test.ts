/** Contracts choose their names and event arguments: neither may add marks, links or lines to a message. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Alert } from './alert.ts'
import { alertMail } from './mail-message.ts'
import { telegramParts } from './telegram-message.ts'
import { noticeOf } from './vendors/vendor.ts'
import { VENDOR_KINDS, VENDORS } from './vendors/vendors.ts'

const HOSTILE = [
  `</b></code></a></p><script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `' onmouseover='alert(1)`,
  '&lt;b&gt; &#60;b&#62;',
  '[Safe](javascript:alert(1)) *bold* _italic_ `code` ||spoiler||',
  'tg://user?id=1 https://evil.example',
  'Vault\r\nControl (now): Immutable\r\n\r\nAll is well',
  'Vault\u2028Control (now): Immutable\u2029\u0085\u000b',
  'Vault\u202etluaV\u2066\u2067',
  'Bcc: everyone@example.org\r\nSubject: other',
]
const HARMLESS = 'Vault'
const publicUrl = 'https://gatewatch.example'
const address = `0x${'11'.repeat(20)}` as const

/** Returns an alert whose every foreign text is `text`. */
function alertWith(text: string): Alert {
  const event = {
    id: 1,
    chainId: 1,
    chainSlug: 'ethereum',
    blockNumber: 20_000_000,
    blockTime: new Date('2026-01-02T00:00:00Z'),
    txHash: `0x${'22'.repeat(32)}`,
    logIndex: 0,
    address: `0x${'33'.repeat(20)}`,
    eventKey: 'example.renamed',
    category: 'token_admin',
    severity: 'critical',
    args: { text },
    isInit: false,
    isDerived: false,
    operation: null,
    confirmedAt: new Date(0),
    retractedAt: null,
    contract: { name: text, protocol: text, kind: null },
  } as const
  const call = {
    target: address,
    signature: text,
    selector: '0x12345678' as const,
    args: [text, { [text]: [text] }],
    affects: [],
    isControl: true,
  }
  return {
    id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    retracts: null,
    retractsWhole: false,
    isDigest: false,
    createdAt: new Date('2026-01-02T00:00:00Z'),
    deliveryIds: [1],
    items: [
      {
        event,
        severity: 'critical',
        explorerUrl: `https://etherscan.io/tx/${event.txHash}`,
        description: {
          title: `Example: renamed, text ${text}`,
          advice: 'Check that the project announced this change of the token.',
          changes: [{ what: text, from: text, to: text }],
          queued: { phase: 'queued', earliestExecution: 0, calls: [call] },
          facts: [{ name: text, value: text }],
        },
        contracts: [
          {
            chainId: 1,
            chainSlug: 'ethereum',
            chainName: 'Ethereum',
            address,
            name: text,
            protocol: text,
            control: {
              label: 'multisig',
              tone: 'amber',
              text: 'Multisig',
              reasons: [text],
              isCurrent: true,
              isStale: false,
              asOfBlock: 1,
            },
            subscriptionIds: [1],
            appUrl: `${publicUrl}/contracts/ethereum/${address}`,
          },
        ],
      },
    ],
  }
}

const mailOf = (text: string) => alertMail(alertWith(text), { address: 'ann@example.org', token: 'TOKEN', publicUrl })
const marksIn = (html: string) => html.match(/<[^>]*>/g)
const linesIn = (text: string) => text.split(/[\p{Cc}\u2028\u2029]+/u).length
const DIRECTION_OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/u

test('a mail has the same marks, links and lines for every contract name', () => {
  const harmless = mailOf(HARMLESS)
  for (const text of HOSTILE) {
    const mail = mailOf(text)
    assert.deepEqual(marksIn(mail.html ?? ''), marksIn(harmless.html ?? ''), text)
    assert.equal(linesIn(mail.html ?? ''), linesIn(harmless.html ?? ''), text)
    assert.equal(linesIn(mail.text), linesIn(harmless.text), text)
    assert.equal(linesIn(mail.subject), 1, text)
    assert.deepEqual(mail.headers, harmless.headers, text)
    for (const part of [mail.html ?? '', mail.text, mail.subject]) assert.doesNotMatch(part, DIRECTION_OVERRIDES, text)
  }
})

test('a Telegram message has the same marks, links and lines for every contract name', () => {
  const harmless = telegramParts(alertWith(HARMLESS)).join('\n')
  assert.match(harmless, /<b>.*<a href="https:\/\/gatewatch\.example\//s)
  for (const text of HOSTILE) {
    const message = telegramParts(alertWith(text)).join('\n')
    assert.deepEqual(marksIn(message), marksIn(harmless), text)
    assert.equal(linesIn(message), linesIn(harmless), text)
    assert.doesNotMatch(message, DIRECTION_OVERRIDES, text)
  }
})

test('a text is never cut within a character, which services refuse', () => {
  for (const start of ['', 'x', 'xx', 'xxx']) {
    const text = start + '😀'.repeat(3_000)
    const { html = '', text: plain, subject } = mailOf(text)
    const notice = noticeOf(alertWith(text), publicUrl)
    const posts = VENDOR_KINDS.map((kind) => {
      const target = { url: `${publicUrl}/hook`, key: 'key', template: '"{{text}}{{title}}{{contract}}"' }
      return VENDORS[kind].post(notice, target, { secrets: [], now: 0 }).body
    })
    for (const message of [html, plain, subject, ...telegramParts(alertWith(text)), ...posts]) {
      assert.ok(message.isWellFormed(), start)
      assert.doesNotMatch(message, /\\ud[89a-f]/i)
    }
  }
})

test('foreign text stays readable', () => {
  const [script = ''] = HOSTILE
  assert.ok(mailOf(script).text.includes(script))
  assert.ok(mailOf(script).html?.includes('&lt;script&gt;alert(1)&lt;/script&gt;'))
  assert.ok(mailOf('כספת und 保险库').text.includes('כספת und 保险库'))
})

test('many harmless calls do not displace the call that changes control from a message', () => {
  const alert = alertWith(HARMLESS)
  const [item] = alert.items
  const queued = item?.description.queued
  assert.ok(item !== undefined && queued !== undefined)
  const [call] = queued.calls
  assert.ok(call !== undefined)
  const others = Array.from({ length: 30 }, () => ({ ...call, signature: 'ping()', args: [], isControl: false }))
  const calls = [...others, { ...call, signature: 'upgradeTo(address)', args: [address] }]
  const long = { ...item, description: { ...item.description, queued: { ...queued, calls } } }
  const { text } = alertMail({ ...alert, items: [long] }, { address: 'ann@example.org', token: 'TOKEN', publicUrl })
  assert.match(text, /upgradeTo/)
  assert.match(text, /and 21 more calls/)
})
