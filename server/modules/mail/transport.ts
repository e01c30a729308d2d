import { parseMailbox } from '../../lib/email.ts'
import { codeOf } from '../../lib/error-code.ts'

type OutgoingMail = {
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  messageId: string
  headers?: Record<string, string>
}
export type MailTransport = { send: (mail: OutgoingMail) => Promise<void>; close: () => void }

declare module '../../lib/deps.ts' {
  interface Deps {
    /** Sends to the mail server currently in the options (`canSendMail` reports whether there is one). */
    mailTransport: MailTransport
  }
}

/** A failure that no further attempt mends. */
export class Undeliverable extends Error {}

const isAscii = (text: string) => /^\p{ASCII}*$/u.test(text)

/**
 * Says why a mail to an address with letters beyond ASCII was refused. Only servers with SMTPUTF8 take them (RFC 6531),
 * and others refuse them in words of their own.
 */
function refusalOf(address: string, error: unknown) {
  const isRefused = error instanceof Error && codeOf(error) === 'EENVELOPE' && 'permanent' in error && error.permanent
  if (!isRefused || isAscii(address)) return error
  return new Undeliverable(
    `The mail server refuses this address. Letters beyond ASCII before the @ need a server with SMTPUTF8. ${error.message}`,
  )
}

/** Parses an address such as `smtp://user:password@mail.example.com:587`. */
function serverOf(smtpUrl: string) {
  const url = new URL(smtpUrl)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (url.protocol === 'smtps:' ? 465 : 587)),
    secure: url.protocol === 'smtps:',
    ...(url.username && { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
  }
}

/** Passed as an object, because a name may contain characters that separate addresses. */
const headersOf = (from: string) => ({ from: parseMailbox(from) ?? from })

/**
 * Runs `work`, which talks to a mail server. A server may repeat in its refusal what it was sent, and refusals are
 * stored and shown. So the password is removed from them, in every form in which it was sent.
 */
async function withoutPassword<T>({ auth }: ReturnType<typeof serverOf>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!auth?.pass || !(error instanceof Error)) throw error
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    const forms = [base64(`\0${auth.user}\0${auth.pass}`), base64(auth.pass), encodeURIComponent(auth.pass), auth.pass]
    const message = forms.reduce((message, form) => message.replaceAll(form, '…'), error.message)
    throw error instanceof Undeliverable ? new Undeliverable(message) : new Error(message)
  }
}

/** Sends through one SMTP server, with a timeout for each wait. */
export function createTransport(smtpUrl: string) {
  const server = serverOf(smtpUrl)
  const open = async () => {
    const { createTransport: createNodemailer } = await import('nodemailer')
    return createNodemailer({
      ...server,
      pool: true,
      maxConnections: 3,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
    })
  }
  let opened: ReturnType<typeof open> | undefined
  return {
    send: (from: string, mail: OutgoingMail) =>
      withoutPassword(server, async () => {
        opened ??= open()
        const transport = await opened
        await transport.sendMail({ ...headersOf(from), ...mail }).catch((error) => {
          throw refusalOf(mail.to.address, error)
        })
      }),
    close: () => void opened?.then((transport) => transport.close()),
  }
}

/** Sends one mail over a new connection. Resolves to the server's response. */
export function sendOnce(smtpUrl: string, from: string, mail: OutgoingMail, signal: AbortSignal) {
  const server = serverOf(smtpUrl)
  return withoutPassword(server, async () => {
    const { createTransport: createNodemailer } = await import('nodemailer')
    const sending = createNodemailer(server).sendMail({ ...headersOf(from), ...mail, signal })
    const { response } = await sending.catch((error) => {
      throw refusalOf(mail.to.address, error)
    })
    return response
  })
}

const VERIFY_MS = 4000

/** Connects and signs in to a mail server, and sends nothing. Throws what the server said, or that it did not respond. */
export function verifyServer(smtpUrl: string) {
  const server = serverOf(smtpUrl)
  return withoutPassword(server, async () => {
    const { createTransport: createNodemailer } = await import('nodemailer')
    const limits = { connectionTimeout: VERIFY_MS, greetingTimeout: VERIFY_MS, socketTimeout: VERIFY_MS }
    await createNodemailer({ ...server, ...limits }).verify()
  })
}
