import { createTransport as createNodemailer } from 'nodemailer'

export type OutgoingMail = {
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  messageId: string
}
export type MailTransport = { send: (mail: OutgoingMail) => Promise<void>; close: () => void }

/** Sends through one SMTP server, with an end to each wait. */
export function createTransport(smtpUrl: string, from: string): MailTransport {
  const url = new URL(smtpUrl)
  const transport = createNodemailer({
    host: url.hostname,
    port: Number(url.port || (url.protocol === 'smtps:' ? 465 : 587)),
    secure: url.protocol === 'smtps:',
    ...(url.username && { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
    pool: true,
    maxConnections: 3,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  })
  return {
    send: async (mail) => {
      await transport.sendMail({ from, ...mail })
    },
    close: () => transport.close(),
  }
}
