/** Whether Telegram knows our bot. */
import type { Config } from '../../config/config.ts'
import { type CheckResult, failed, passed } from '../../lib/check-result.ts'
import { reasonOf } from '../../lib/errors.ts'

const PATIENCE_MS = 10_000

export async function checkTelegram({ token, apiUrl }: NonNullable<Config['telegram']>): Promise<CheckResult> {
  const about = `telegram ${URL.parse(apiUrl)?.host ?? ''}`
  try {
    const answer = await fetch(`${apiUrl.replace(/\/+$/, '')}/bot${token}/getMe`, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: 'error',
    })
    if (answer.ok) return passed(about, 'It knows our bot.')
    const advice = answer.status === 401 ? 'Check TELEGRAM_BOT_TOKEN.' : 'Check TELEGRAM_API_URL.'
    return failed(about, `It answers ${answer.status}.`, advice)
  } catch (error) {
    return failed(about, `${reasonOf(error)}.`, 'Check TELEGRAM_API_URL and the way out of this network.')
  }
}
