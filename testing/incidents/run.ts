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
import { INCIDENTS, OUT_OF_SCOPE } from './incidents.ts'

const DOCUMENT = join(import.meta.dirname, '..', '..', 'docs', 'incidents.md')
const wanted = process.argv[2]?.toLowerCase()

const outcomes: Outcome[] = []
for (const incident of INCIDENTS) {
  if (wanted !== undefined && !incident.name.toLowerCase().includes(wanted)) continue
  test(incident.name, async (context) => {
    const outcome = await replay(incident, { polls: true })
    outcomes.push(outcome)
    const warning = warningOf(outcome)
    if (incident.expects.length === 0) {
      assert.ok(outcome.standing.length > 0, 'the profile showed nothing red before the loss')
      return context.diagnostic(outcome.standing.join(' '))
    }
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
  const [changed, unchanged] = [true, false].map((hasChange) =>
    all.filter(({ incident }) => incident.expects.length > 0 === hasChange),
  ) as [Outcome[], Outcome[]]
  const inTime = changed.filter((outcome) => warningOf(outcome) !== undefined)
  const rows = changed.map((outcome) => {
    const warning = warningOf(outcome)
    const said = warning === undefined ? 'nothing critical' : `${cell(warning.text)} (\`${warning.key}\`)`
    return `| ${outcome.incident.name} | ${cell(outcome.incident.what)} | ${said} | ${warning === undefined ? '–' : leadOf(warning.before)} |`
  })
  const standing = unchanged.map(
    ({ incident, standing }) =>
      `| ${incident.name} | ${cell(incident.what)} | ${standing.length === 0 ? 'nothing red' : cell(standing.join(' '))} |`,
  )
  const details = all.map(({ incident, reports }) => {
    const lines = reports.map(
      ({ key, severity, text, before }) =>
        `- ${before > 0 ? leadOf(before) : 'with the loss or later'}: ${severity}, \`${key}\`: ${cell(text)}`,
    )
    const listed = lines.length === 0 ? 'No event.' : [...new Set(lines)].join('\n')
    return `### ${incident.name}\n\n${incident.what}\n\n${listed}\n`
  })
  return `# Incidents replayed

Losses that came through control, rebuilt on a local node from published contracts or small equivalents of them, and played with the watcher, the
poller and the reader of queued changes running. The times between the steps are modeled on the published ones. \`npm run incidents\` writes this page.

In ${changed.length} of ${all.length} incidents control changed before the loss; ${inTime.length} of them had a critical event before it.

| Incident | What happened | First critical event | When |
|---|---|---|---|
${rows.join('\n')}

## Without a change

In ${unchanged.length} incidents an account used a power that it had all along. There was no event to report. The profile named the power in red.

| Incident | What happened | What the profile showed before |
|---|---|---|
${standing.join('\n')}

## Out of scope

| Incident | Why |
|---|---|
${OUT_OF_SCOPE.map(([name, why]) => `| ${name} | ${cell(why)} |`).join('\n')}

## All events

${details.join('\n')}`
}

/** Addresses of a local node mean nothing to a reader: they are shortened. */
function cell(text: string): string {
  return text.replaceAll(/0x([0-9a-f]{4})[0-9a-f]{32}([0-9a-f]{4})/g, '0x$1…$2').replaceAll('|', '\\|')
}
