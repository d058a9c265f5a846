/** What better-auth says, in our log. It quotes what a stranger sent, whole: a line holds the beginning of it. */
import type { Logger } from '../lib/log.ts'

const MOST_CHARACTERS = 300

export function authLog(log: Logger) {
  return {
    level: 'warn',
    log: (level: string, message: string, ...more: readonly unknown[]): void => {
      const err = more.find((detail) => detail instanceof Error)
      const text = message.length <= MOST_CHARACTERS ? message : `${message.slice(0, MOST_CHARACTERS)}…`
      log[level === 'error' ? 'error' : 'warn'](err === undefined ? {} : { err }, text)
    },
  } as const
}
