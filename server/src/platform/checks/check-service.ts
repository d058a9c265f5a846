/** Checks whether the service responds on this machine, at its configured port. */
import type { Config } from '../../config/config.ts'
import { reasonOf } from '../../lib/errors.ts'
import { type CheckResult, failed, passed, warning } from './check-result.ts'

const TIMEOUT_MS = 5_000

type Settings = Pick<Config, 'host' | 'port' | 'metricsPort' | 'roles'>

/** No result if a process with these roles listens on no port. */
export async function checkService({ host, port, metricsPort, roles }: Settings): Promise<readonly CheckResult[]> {
  const [listening, variable] = roles.includes('serve') ? [port, 'PORT'] : [metricsPort, 'METRICS_PORT']
  if (listening === undefined) return []
  const reachable = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host
  const where = `${reachable.includes(':') ? `[${reachable}]` : reachable}:${listening}`
  return [await check(where, variable)]
}

async function check(where: string, variable: string): Promise<CheckResult> {
  const about = `service ${where}`
  try {
    const response = await fetch(`http://${where}/readyz`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'manual',
    })
    const status = statusIn(await response.text())
    if (status === 'ready') return passed(about, 'It runs and is ready.')
    if (status === 'not ready')
      return failed(about, 'It runs, but is not ready.', 'See the check of the database and the log of the service.')
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

function statusIn(body: string): unknown {
  try {
    return (JSON.parse(body) as { status?: unknown } | null)?.status
  } catch {
    return undefined
  }
}
