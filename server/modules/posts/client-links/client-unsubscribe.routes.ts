import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../lib/deps.ts'
import { unsubscribePage } from '../../../lib/http/response/unsubscribe-page.ts'
import { readClientUnsubscribe, stopClientMails } from './client-unsubscribe.ts'

const texts = {
  en: {
    title: 'Stop these e-mails',
    ask: 'You will no longer get e-mails about posts of this team that wait for you. Its links go on working.',
    button: 'Stop these e-mails',
    done: 'These e-mails are turned off',
    change:
      'This team can no longer send you e-mails about posts. Its links go on working, and you can turn them on again on the page of a link.',
    unknown: 'This address is not valid',
    incomplete: 'It may have been copied without its end. Ask the team that sent the link to stop the e-mails.',
  },
  tr: {
    title: 'Bu e-postaları durdur',
    ask: 'Bu ekibin sizi bekleyen gönderileri için artık e-posta almayacaksınız. Bağlantıları çalışmaya devam eder.',
    button: 'Bu e-postaları durdur',
    done: 'Bu e-postalar kapatıldı',
    change:
      'Bu ekip size artık gönderiler için e-posta gönderemez. Bağlantıları çalışmaya devam eder; bir bağlantının sayfasında e-postaları yeniden açabilirsiniz.',
    unknown: 'Bu adres geçerli değil',
    incomplete: 'Sonu kopyalanmamış olabilir. E-postaları durdurmasını bağlantıyı gönderen ekipten isteyin.',
  },
} as const

/** Registers the address that stops the mails to the client of a link. */
export const clientUnsubscribeRoutes = async (app: FastifyInstance, deps: Deps) =>
  unsubscribePage(app, {
    path: '/unsubscribe/client',
    texts,
    read: (query) => readClientUnsubscribe(deps, query),
    askOf: (language) => texts[language].ask,
    stop: (link_id) => stopClientMails(deps, link_id),
  })
