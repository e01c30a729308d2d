import type { Article } from '../../../lib/http/response/article-page.ts'
import { type Language, mailTimeFormat } from '../../../lib/language.ts'
import { findNetwork } from '../../networks/registry.ts'

const texts = {
  en: {
    title: 'Your data was deleted',
    done: (network: string, time: string) =>
      `The data from your account at ${network} was deleted on ${time}: your sign-in, and the names, picture and numbers of the accounts that you connected.`,
    none: (network: string, time: string) =>
      `Your request from ${network} was carried out on ${time}. No data of your account was stored.`,
    kept: 'Texts that were published with these accounts belong to the workspace that wrote them. Its members can delete them.',
  },
  tr: {
    title: 'Verileriniz silindi',
    done: (network: string, time: string) =>
      `${network} hesabınızdan gelen veriler ${time} tarihinde silindi: oturumunuz ve bağladığınız hesapların adları, resmi ve sayıları.`,
    none: (network: string, time: string) =>
      `${network} üzerinden gelen isteğiniz ${time} tarihinde yerine getirildi. Hesabınızla ilgili kayıtlı veri yoktu.`,
    kept: 'Bu hesaplarla yayımlanan metinler, onları yazan çalışma alanına aittir. Üyeleri bunları silebilir.',
  },
}

type Deletion = { network: string; accounts: number; completed_at: Date }

/** The page on which a person sees that their data was deleted. */
export function deletionArticle({ network, accounts, completed_at }: Deletion, language: Language): Article {
  const text = texts[language]
  const name = findNetwork(network)?.name ?? network
  const time = mailTimeFormat(language, 'UTC').format(completed_at)
  const done = accounts > 0 ? text.done(name, time) : text.none(name, time)
  return { title: text.title, sections: [{ paragraphs: [done, text.kept] }] }
}
