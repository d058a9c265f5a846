/** Whether the service itself answers on this machine, where its settings say. */
import type { Config } from '../../config/config.ts'
import { type CheckResult, failed, passed, warning } from '../../lib/check-result.ts'
import { reasonOf } from '../../lib/errors.ts'

const PATIENCE_MS = 5_000

type Settings = Pick<Config, 'host' | 'port' | 'metricsPort' | 'roles'>

/** Nothing where a process of these roles listens nowhere. */
export async function checkService({ host, port, metricsPort, roles }: Settings): Promise<readonly CheckResult[]> {
  const [place, variable] = roles.includes('serve') ? [port, 'PORT'] : [metricsPort, 'METRICS_PORT']
  if (place === undefined) return []
  const near = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host
  const where = `${near.includes(':') ? `[${near}]` : near}:${place}`
  return [await look(where, variable)]
}

async function look(where: string, variable: string): Promise<CheckResult> {
  const about = `service ${where}`
  try {
    const answer = await fetch(`http://${where}/readyz`, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: 'manual',
    })
    const status = statusIn(await answer.text())
    if (status === 'ready') return passed(about, 'It runs and is ready.')
    if (status === 'not ready')
      return failed(about, 'It runs, but cannot work with its database.', 'See below, and its log: "not ready".')
    return failed(about, 'Another program answers there.', `Stop it, or set ${variable} to a free port.`)
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return warning(
      about,
      `Nobody answers there (${reasonOf(cause)}).`,
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
