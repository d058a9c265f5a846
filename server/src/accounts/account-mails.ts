/** The mails that an account gets: to confirm its address, and to reset its password. */
import type { Logger } from '../lib/log.ts'
import type { Mail, Mailer } from '../platform/mail.ts'
import type { MailLimit } from './throttling.ts'

export type AccountMailDeps = {
  readonly mailer: Pick<Mailer, 'send'>
  readonly log: Logger
  /** Anyone may request these mails for any address. Without a limit that would flood its owner. */
  readonly mailLimit: MailLimit
}

export function createAccountMails({ mailer, log, mailLimit }: AccountMailDeps) {
  const send = async (kind: 'verification' | 'reset', mail: Mail): Promise<void> => {
    try {
      if ((await mailLimit(kind, mail.to)).isAllowed) await mailer.send(mail)
    } catch (error) {
      log.warn({ err: error }, `cannot send the mail "${mail.subject}"`)
    }
  }
  return {
    sendVerification: (to: string, url: string) => send('verification', verificationMail(to, url)),
    sendReset: (to: string, url: string) => send('reset', resetMail(to, url)),
  }
}

const verificationMail = (to: string, url: string): Mail => ({
  to,
  subject: 'Confirm your e-mail address for Gatewatch',
  text: `Open this link to confirm that ${to} is yours:\n\n${url}\n\nIf you did not sign up, ignore this mail.\n`,
})

const resetMail = (to: string, url: string): Mail => ({
  to,
  subject: 'Reset your Gatewatch password',
  text: `Open this link within an hour to choose a new password:\n\n${url}\n\nIf you did not request this, ignore this mail. Your password does not change.\n`,
})
