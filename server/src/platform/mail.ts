/** Outgoing mail. Owns the SMTP connection and its limits in time; knows nothing of what is written. */
import { createTransport } from 'nodemailer'

export type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string
  /** The same for every try, so that a reader can tell a repetition. */
  readonly messageId?: string
  /** The mail this one speaks of. */
  readonly inReplyTo?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Mailer = {
  readonly send: (mail: Mail) => Promise<void>
  /** Throws with the server's reason where mail cannot be handed over. */
  readonly verify: () => Promise<void>
  readonly close: () => void
}

export function createMailer({ smtpUrl, from }: { readonly smtpUrl: string; readonly from: string }): Mailer {
  const transport = createTransport(
    {
      url: smtpUrl,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  )
  return {
    send: async (mail) => void (await transport.sendMail({ ...mail, headers: { ...mail.headers } })),
    verify: async () => void (await transport.verify()),
    close: () => transport.close(),
  }
}
