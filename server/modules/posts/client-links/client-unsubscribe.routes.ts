import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../lib/deps.ts'
import { unsubscribePage } from '../../../lib/http/response/unsubscribe-page.ts'
import { readClientUnsubscribe, stopClientMails } from './client-unsubscribe.ts'

const texts = {
  en: {
    title: 'Stop these e-mails',
    ask: 'You will no longer get e-mails about posts that wait for you. The link in them goes on working.',
    button: 'Stop these e-mails',
    done: 'These e-mails are turned off',
    change: 'The link goes on working. Ask the team that sent it if you want e-mails again.',
    unknown: 'This address is not valid',
    incomplete: 'It may have been copied without its end. Ask the team that sent the link to stop the e-mails.',
  },
  tr: {
    title: 'Bu e-postaları durdur',
    ask: 'Sizi bekleyen gönderiler için artık e-posta almayacaksınız. İçlerindeki bağlantı çalışmaya devam eder.',
    button: 'Bu e-postaları durdur',
    done: 'Bu e-postalar kapatıldı',
    change: 'Bağlantı çalışmaya devam eder. Yeniden e-posta almak isterseniz gönderen ekibe söyleyin.',
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
