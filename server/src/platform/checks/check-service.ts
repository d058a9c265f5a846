/** Checks whether the service responds on this machine, at its configured port. */
import { z } from 'zod'
import type { Config } from '../../config/config.ts'
import { reasonOf } from '../../lib/errors.ts'
import { type CheckResult, failed, passed, warning } from './check-result.ts'

const TIMEOUT_MS = 5_000

type Settings = Pick<Config, 'host' | 'port' | 'metricsHost' | 'metricsPort' | 'roles'>

/** No result if a process with these roles listens on no port. */
export async function checkService(settings: Settings): Promise<readonly CheckResult[]> {
  const variable = settings.roles.includes('serve') ? 'PORT' : 'METRICS_PORT'
  return await Promise.all(addressesOf(settings).map((where) => check(where, variable)))
}

/** Where the process with these roles listens on this machine; nothing if it does not listen. */
function addressesOf(settings: Settings): readonly string[] {
  const { metricsHost, metricsPort } = settings
  const [host, listening] = settings.roles.includes('serve')
    ? [settings.host, settings.port]
    : [metricsHost, metricsPort]
  if (listening === undefined) return []
  const reachable = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host
  return [`${reachable.includes(':') ? `[${reachable}]` : reachable}:${listening}`]
}

async function check(where: string, variable: string): Promise<CheckResult> {
  const about = `service ${where}`
  try {
    const response = await fetch(`http://${where}/readyz`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'manual',
    })
    const { status, faults } = readinessIn(await response.text())
    if (status === 'ready') return passed(about, 'It runs and is ready.')
    const down = faults.map(({ part, reason, since }) => ` ${part} does not work since ${since} (${reason}).`).join('')
    if (status === 'degraded')
      return warning(about, `It runs.${down}`, 'docs/errors.md explains the codes; the log has the reasons.')
    if (status === 'not ready')
      return failed(
        about,
        `It runs, but is not ready.${down}`,
        'See the check of the database and the log of the service.',
      )
    return failed(about, 'Another program responds there.', `Stop it, or set ${variable} to a free port.`)
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return warning(
      about,
      `Nothing responds there (${reasonOf(cause)}).`,
      'Start the service, unless it runs on another machine.',
    )
  }
}

const readiness = z.object({
  status: z.string(),
  faults: z.array(z.object({ part: z.string(), reason: z.string(), since: z.string() })).default([]),
})

/** The body of `/readyz`; without a status if another program responded. */
function readinessIn(body: string): z.output<typeof readiness> {
  try {
    return readiness.parse(JSON.parse(body))
  } catch {
    return { status: '', faults: [] }
  }
}
