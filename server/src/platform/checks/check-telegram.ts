/** Checks the token of the Telegram bot. */
import type { Config } from '../../config/config.ts'
import { type CheckResult, failed, passed } from '../../lib/check-result.ts'
import { reasonOf } from '../../lib/errors.ts'

const TIMEOUT_MS = 10_000

export async function checkTelegram({ token, apiUrl }: NonNullable<Config['telegram']>): Promise<CheckResult> {
  const about = `telegram ${URL.parse(apiUrl)?.host ?? ''}`
  try {
    const response = await fetch(`${apiUrl.replace(/\/+$/, '')}/bot${token}/getMe`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    })
    if (response.ok) return passed(about, 'It accepts the bot token.')
    const advice = response.status === 401 ? 'Check TELEGRAM_BOT_TOKEN.' : 'Check TELEGRAM_API_URL.'
    return failed(about, `It responds with status ${response.status}.`, advice)
  } catch (error) {
    return failed(about, `${reasonOf(error)}.`, 'Check TELEGRAM_API_URL and the outgoing network.')
  }
}
