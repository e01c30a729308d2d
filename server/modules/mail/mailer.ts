import type { Logger } from 'pino'
import type { Db } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Options } from '../options/options.ts'
import { createTransport, type MailTransport } from './transport.ts'

/** Whether a mail server is set. If not, mail stays in the outbox. `db`: the caller's transaction, if any. */
export const canSendMail = ({ options }: Pick<Deps, 'options'>, db?: Db) => options.isSet('mail.smtp_url', db)

type Line = { url: string; transport: ReturnType<typeof createTransport>; sending: number; isFormer: boolean }

/**
 * Sends through the mail server that the options currently name. Connections to a former server are closed once
 * no mail is being sent over them.
 */
export function createMailer({ options, log }: { options: Options; log: Logger }): MailTransport {
  let line: Line | undefined
  const retire = () => {
    if (!line) return
    line.isFormer = true
    if (line.sending === 0) line.transport.close()
    line = undefined
  }
  const lineNow = async () => {
    const url = await options.secret('mail.smtp_url')
    if (line?.url !== url) {
      retire()
      if (url !== undefined) line = { url, transport: createTransport(url), sending: 0, isFormer: false }
    }
    return line
  }
  // Without a transport there is no connection to close.
  options.onChange(() => {
    if (line) lineNow().catch((err) => log.warn({ err }, 'the option mail.smtp_url could not be read'))
  })

  return {
    send: async (mail) => {
      const from = await options.get('mail.from')
      const used = await lineNow()
      if (!used) throw new Error('No mail server is set.')
      used.sending++
      try {
        await used.transport.send(from, mail)
      } finally {
        used.sending--
        if (used.isFormer && used.sending === 0) used.transport.close()
      }
    },
    close: retire,
  }
}
