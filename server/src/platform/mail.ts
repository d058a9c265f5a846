/** Sends e-mail over SMTP, with timeouts. */
import { createTransport } from 'nodemailer'

export type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string
  /** The same for every try, so that a mail program recognizes a duplicate. */
  readonly messageId?: string
  /** The message id of the e-mail that this one refers to. */
  readonly inReplyTo?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Mailer = {
  readonly send: (mail: Mail) => Promise<void>
  /** Throws with the server's reason if it does not accept e-mail. */
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
