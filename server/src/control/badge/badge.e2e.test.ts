/**
 * Badges as a browser draws them: each compared with the picture kept of it, and none leaves its frame.
 *
 * The pictures in `testing/fixtures/badges` are drawn with the fonts that come with the test browser, so that the
 * machine's own do not matter. A wanted change is kept by `GATEWATCH_KEEP_PICTURES=1 npm test -- THIS FILE`.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pixelmatch from 'pixelmatch'
import type { Browser } from 'playwright-core'
import { PNG } from 'pngjs'
import { browserForTests, browserMissing, testFonts } from '../../../../testing/support/browser.ts'
import { LABEL_TONES, LABELS } from '../../../../vocabulary/labels.ts'
import { BADGE_HEIGHT, BADGE_WIDTH, type Badge, protocolBadge, renderBadge, THEMES } from './badge.ts'

const PICTURES = join(import.meta.dirname, '..', '..', '..', '..', 'testing', 'fixtures', 'badges')
const options = { skip: browserMissing }
const browser = browserMissing === false ? await browserForTests() : (undefined as unknown as Browser)

const longest: Readonly<Record<string, Badge>> = {
  'wide letters': { label: 'single_key', subject: 'W'.repeat(500), detail: '1234 of 5678 contracts', stale: true },
  'no letter of the font': { label: 'timelocked', subject: '界'.repeat(80), detail: 'Ethereum' },
  'right to left': { label: 'unknown', subject: 'عقد ذكي للتحكم في المفاتيح '.repeat(9) },
  'stacked marks': { label: 'multisig', subject: `Z${'\u0335\u0489'.repeat(40)}algo`.repeat(9) },
  'only signs': {
    label: 'immutable',
    subject: '&<>"\''.repeat(60),
    text: 'A long text that replaces the label',
  },
  ...Object.fromEntries(
    ['#', '=', '%', '&', 'Œ'].flatMap((sign) =>
      [15, 20, 25].map((count) => [`${count} ${sign}`, { label: 'unknown', subject: sign.repeat(count) } as const]),
    ),
  ),
}

test('every label in both themes matches its screenshot', options, async () => {
  const { regular, bold } = await testFonts()
  const face = (file: string, weight: string) =>
    `@font-face{font-family:Verdana;font-weight:${weight};src:url(data:font/ttf;base64,${readFileSync(file).toString('base64')})}`
  const page = await browser.newPage({ viewport: { width: BADGE_WIDTH, height: BADGE_HEIGHT } })
  await page.setContent(
    `<style>${face(regular, 'normal')}${face(bold, 'bold')}body{margin:0}svg{display:block}</style><div></div>`,
  )
  await page.evaluate(`Promise.all([...document.fonts].map((font) => font.load()))`)
  const badges: readonly (readonly [string, Badge])[] = [
    ...LABELS.map((label): [string, Badge] => [label, { label, subject: 'Treasury vault', detail: 'Ethereum' }]),
    ['stale', { label: 'timelocked', subject: '0x1234…cdef', detail: 'Base', stale: true }],
    [
      'protocol',
      protocolBadge(
        'A protocol',
        (['multisig', 'immutable', 'multisig'] as const).map((label) => ({ label, tone: LABEL_TONES[label] })),
      ),
    ],
    ['cut', longest['wide letters'] as Badge],
    [
      'power',
      { label: 'immutable', tone: 'red', power: { effect: 'mint', label: 'single_key' }, subject: 'Treasury token' },
    ],
  ]
  const different: string[] = []
  for (const theme of THEMES)
    for (const [name, badge] of badges) {
      await page.evaluate(`document.querySelector('div').innerHTML = ${JSON.stringify(renderBadge(badge, theme))}`)
      const drawn = await page.screenshot({ omitBackground: true })
      const file = join(PICTURES, `${name}-${theme}.png`)
      if (process.env.GATEWATCH_KEEP_PICTURES !== undefined) {
        mkdirSync(PICTURES, { recursive: true })
        writeFileSync(file, drawn)
      }
      assert.ok(existsSync(file), `${file} is missing`)
      const share = differenceOf(PNG.sync.read(drawn), PNG.sync.read(readFileSync(file)))
      if (share > MOST_DIFFERENT) different.push(`${name}-${theme}: ${(share * 100).toFixed(1)} % of the picture`)
    }
  await page.close()
  assert.deepEqual(different, [])
})

/** Edges of letters differ between versions of a browser; a changed letter, color or line is more than this. */
const MOST_DIFFERENT = 0.01

function differenceOf(drawn: PNG, kept: PNG): number {
  assert.deepEqual([drawn.width, drawn.height], [kept.width, kept.height])
  const { width, height } = kept
  return pixelmatch(drawn.data, kept.data, undefined, width, height, { threshold: 0.2 }) / (width * height)
}

type Box = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number }

test('an embedded badge is 250 by 54, and no text overflows, with any font', options, async () => {
  const page = await browser.newPage({ viewport: { width: 400, height: 200 } })
  const all: readonly (readonly [string, Badge])[] = [
    ...Object.entries(longest),
    ...LABELS.map((label): [string, Badge] => [
      label,
      { label, subject: 'A contract of some length', detail: 'Ethereum' },
    ]),
  ]
  for (const theme of THEMES)
    for (const [name, badge] of all) {
      const svg = renderBadge(badge, theme)
      await page.setContent(`<img src="data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}">`)
      // Fails if the image is invalid.
      const size = await page.evaluate(
        `document.images[0].decode().then(() => [document.images[0].naturalWidth, document.images[0].naturalHeight])`,
      )
      assert.deepEqual(size, [BADGE_WIDTH, BADGE_HEIGHT], name)
      for (const family of ['Verdana', 'DejaVu Sans', 'serif', 'monospace']) {
        await page.setContent(svg.replace(/font-family="[^"]*"/, `font-family="${family}"`))
        const boxes = await page.evaluate<readonly Box[]>(`[...document.querySelectorAll('text')].map((text) => {
          const { x, y, width, height } = text.getBBox()
          return { left: x, right: x + width, top: y, bottom: y + height }
        })`)
        assert.equal(boxes.length, 2)
        for (const { left, right, top, bottom } of boxes) {
          assert.ok(left >= 47 && right <= BADGE_WIDTH - 6, `${name}, ${family}: from ${left} to ${right}`)
          assert.ok(top >= 0 && bottom <= BADGE_HEIGHT, `${name}, ${family}: from ${top} down to ${bottom}`)
        }
      }
    }
  await page.close()
})

test('the browser reads the title of a badge and runs no script in it', options, async () => {
  const page = await browser.newPage()
  const svg = renderBadge({ label: 'multisig', subject: `</title><script>document.title='bad'</script>` }, 'light')
  await page.setContent(`<title>good</title>${svg}`)
  assert.equal(await page.title(), 'good')
  assert.match((await page.getByRole('img').getAttribute('aria-label')) ?? '', /<script>.*: Multisig, no delay$/)
  assert.equal(await page.locator('script').count(), 0)
  await page.close()
})
