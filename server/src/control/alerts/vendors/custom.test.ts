/** Templates of custom webhooks: what is refused when one is saved, and what hostile texts do to the body. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { custom, templateFault } from './custom.ts'
import type { ContentType } from './http-target.ts'
import { type Notice, testNotice } from './vendor.ts'

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'

test('a placeholder of a JSON template is accepted only within a text', () => {
  for (const template of ['{"a": "{{headline}}"}', '["{{ contract }} {{label}}"]', '{"a": {{payload}}}', '{{payload}}'])
    assert.equal(templateFault(template, JSON_TYPE), undefined, template)
  for (const template of [
    // Empty in a test message, and the name of a contract in an alert.
    '[{{contract}}]',
    '{"a": 1{{address}}}',
    '{"a": 1 {{protocol}} }',
    '{"a": {{events}}}',
    // Behind a backslash, the first character of the value would be an escape.
    '{"a": "\\{{contract}}"}',
    '{"a": "\\u00{{chainId}}"}',
    '{"a": "{{payload}}"}',
    '{"a": "{{headline}}',
  ])
    assert.match(templateFault(template, JSON_TYPE) ?? '', /is not JSON/, template)
})

test('a value never names a field', () => {
  for (const template of ['{"severity": "info", "{{contract}}": 1}', '[{"a": [{"x{{protocol}}y": 1}]}]'])
    assert.match(templateFault(template, JSON_TYPE) ?? '', /in the name of a field/, template)
})

test('what looks like a placeholder is one, or is refused', () => {
  for (const name of ['event.key', 'event-key', 'constructor', '__proto__', '', 'a b', 'tït'])
    for (const type of [JSON_TYPE, FORM, 'text/plain'] as const)
      assert.match(templateFault(`"{{ ${name} }}"`, type) ?? '', /is unknown/, name)
})

test('a template of spaces is read in one pass', () => {
  for (const template of [`{{${' '.repeat(7_990)}`, '{{ '.repeat(2_600), `{{${' }'.repeat(3_990)}`])
    for (const type of [JSON_TYPE, 'text/plain'] as const) templateFault(template, type)
})

test('a template cannot repeat what is large', () => {
  assert.match(templateFault('[{{payload}},{{payload}}]', JSON_TYPE) ?? '', /payload.* more than once/)
  assert.match(templateFault('{{text}}'.repeat(41), 'text/plain') ?? '', /more than 40/)
})

const bodyOf = (template: string, contentType: ContentType, notice: Notice): string =>
  custom.post(notice, { url: 'https://chat.example.org', template, contentType }, { secrets: [], now: 0 }).body

const noticeWith = (text: string): Notice => {
  const notice = testNotice(text, { id: 'x', publicUrl: 'https://gatewatch.example', now: 0 })
  const contracts = [{ name: text, protocol: text }]
  return { ...notice, items: [{ description: { title: text }, contracts, event: {} }] as unknown as Notice['items'] }
}

test('a name is one line of a text, without marks of direction', () => {
  const body = bodyOf(
    '{{contract}}|{{protocol}}|{{title}}',
    'text/plain',
    noticeWith('A\r\nCRITICAL: fake\u202e\u2028B'),
  )
  assert.equal(body, Array(3).fill('A CRITICAL: fake B').join('|'))
})

test('a character that is cut in half does not stop a form', () => {
  for (const start of ['', 'x']) {
    const emoji = start + '😀'.repeat(20_000)
    for (const part of bodyOf('a={{text}}&b={{contract}}&c={{title}}', FORM, noticeWith(emoji)).split('&'))
      assert.ok(decodeURIComponent(part).isWellFormed())
  }
  assert.equal(bodyOf('a={{contract}}', FORM, noticeWith('\ud83d')), 'a=%EF%BF%BD')
})
