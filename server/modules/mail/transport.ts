import { createTransport as createNodemailer } from 'nodemailer'

export type OutgoingMail = {
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  messageId: string
}
export type MailTransport = { send: (mail: OutgoingMail) => Promise<void>; close: () => void }

/** How an address such as `smtp://user:password@mail.example.com:587` is understood. */
function serverOf(smtpUrl: string) {
  const url = new URL(smtpUrl)
  return {
    host: url.hostname,
    port: Number(url.port || (url.protocol === 'smtps:' ? 465 : 587)),
    secure: url.protocol === 'smtps:',
    ...(url.username && { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
  }
}

/** Sends through one SMTP server, with an end to each wait. */
export function createTransport(smtpUrl: string) {
  const transport = createNodemailer({
    ...serverOf(smtpUrl),
    pool: true,
    maxConnections: 3,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  })
  return {
    send: async (from: string, mail: OutgoingMail) => {
      await transport.sendMail({ from, ...mail })
    },
    close: () => transport.close(),
  }
}
