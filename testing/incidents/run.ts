/**
 * Replays the published incidents and writes docs/incidents.md: what Gatewatch reported, and how long before the loss.
 *
 *     npm run incidents              # all of them
 *     npm run incidents -- Bybit     # those with this in their name; the document is not written
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { duration } from '../../vocabulary/time.ts'
import { type Outcome, replay, warningOf } from './incident.ts'
import { INCIDENTS, NOT_REPLAYED } from './incidents.ts'

const DOCUMENT = join(import.meta.dirname, '..', '..', 'docs', 'incidents.md')
const wanted = process.argv[2]?.toLowerCase()

const outcomes: Outcome[] = []
for (const incident of INCIDENTS) {
  if (wanted !== undefined && !incident.name.toLowerCase().includes(wanted)) continue
  test(incident.name, async (context) => {
    const outcome = await replay(incident, { polls: true })
    outcomes.push(outcome)
    const warning = warningOf(outcome)
    assert.ok(warning !== undefined, 'no critical event before the loss')
    context.diagnostic(`${warning.text} (${leadOf(warning.before)})`)
  })
}
after(() => {
  if (wanted === undefined) writeFileSync(DOCUMENT, documentOf(outcomes))
})

function leadOf(seconds: number): string {
  return `${duration(Math.round(seconds))} before the loss`
}

function documentOf(all: readonly Outcome[]): string {
  const inTime = all.filter((outcome) => warningOf(outcome) !== undefined)
  const rows = all.map((outcome) => {
    const warning = warningOf(outcome)
    const said = warning === undefined ? 'nothing critical' : `${cell(warning.text)} (\`${warning.key}\`)`
    return `| ${outcome.incident.name} | ${cell(outcome.incident.what)} | ${said} | ${warning === undefined ? '–' : leadOf(warning.before)} |`
  })
  const details = all.map(({ incident, reports }) => {
    const lines = reports.map(
      ({ key, severity, text, before }) =>
        `- ${before > 0 ? leadOf(before) : 'with the loss or later'}: ${severity}, \`${key}\`: ${cell(text)}`,
    )
    return `### ${incident.name}\n\n${incident.what}\n\n${[...new Set(lines)].join('\n')}\n`
  })
  return `# Incidents replayed

Losses that came through control, rebuilt on a local node from published contracts and played with the watcher and the poller running. The times
between the steps are modeled on the published ones. \`npm run incidents\` writes this page.

${inTime.length} of ${all.length} replayed incidents had a critical event before the loss.

| Incident | What happened | First critical event | When |
|---|---|---|---|
${rows.join('\n')}

## Not replayed

| Incident | Why |
|---|---|
${NOT_REPLAYED.map(([name, why]) => `| ${name} | ${cell(why)} |`).join('\n')}

## All events

${details.join('\n')}`
}

/** Addresses of a local node mean nothing to a reader: they are shortened. */
function cell(text: string): string {
  return text.replaceAll(/0x([0-9a-f]{4})[0-9a-f]{32}([0-9a-f]{4})/g, '0x$1…$2').replaceAll('|', '\\|')
}
