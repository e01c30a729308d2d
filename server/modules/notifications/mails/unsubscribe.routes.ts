import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../lib/deps.ts'
import { unsubscribePage } from '../../../lib/http/response/unsubscribe-page.ts'
import type { Language } from '../../../lib/language.ts'
import { stopMails } from '../preferences.ts'
import { readUnsubscribe } from './unsubscribe.ts'

const texts = {
  en: {
    title: 'Stop these e-mails',
    ask: 'You will no longer get e-mails about this kind of notification. The console still lists them.',
    askDigest: 'You will no longer get the daily summary. The console still lists its notifications.',
    button: 'Stop these e-mails',
    done: 'These e-mails are turned off',
    change: 'You can turn them on again in your profile, under Notifications.',
    unknown: 'This address is not valid',
    incomplete:
      'It may have been copied without its end. You choose your e-mails in your profile, under Notifications.',
  },
  tr: {
    title: 'Bu e-postaları durdur',
    ask: 'Bu tür bildirimler için artık e-posta almayacaksınız. Konsol onları göstermeye devam eder.',
    askDigest: 'Günlük özeti artık almayacaksınız. Konsol, içindeki bildirimleri göstermeye devam eder.',
    button: 'Bu e-postaları durdur',
    done: 'Bu e-postalar kapatıldı',
    change: 'Profilinizdeki Bildirimler bölümünden yeniden açabilirsiniz.',
    unknown: 'Bu adres geçerli değil',
    incomplete: 'Sonu kopyalanmamış olabilir. E-postalarınızı profilinizdeki Bildirimler bölümünden seçersiniz.',
  },
} as const satisfies Record<Language, Record<string, string>>

/** Registers the address that stops the mails of a kind to a user. */
export const unsubscribeRoutes = async (app: FastifyInstance, deps: Deps) =>
  unsubscribePage(app, {
    path: '/unsubscribe',
    texts,
    read: (query) => readUnsubscribe(deps, query),
    askOf: (language, { kind }) => (kind === 'digest' ? texts[language].askDigest : texts[language].ask),
    stop: ({ user_id, kind }) => stopMails(deps.db, user_id, kind),
  })
