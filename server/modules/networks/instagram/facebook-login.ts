import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf } from '../calls/call.ts'
import { askAsPage, type Credentials, replyToPage } from '../facebook/api.ts'
import { listPages, mayReadPortfolios, PORTFOLIO_SCOPE, PORTFOLIOS_MISSING } from '../facebook/page-list.ts'
import { copyAppSecret, facebookLogin } from '../facebook/sign-in.ts'
import { idOf } from '../meta/graph.ts'
import { type Network, NetworkFault } from '../network.ts'
import type { Candidate, OAuthProvider } from '../oauth/provider.ts'
import type { Tokens } from '../oauth/tokens.ts'
import { describe, NAME_FIELDS } from './api.ts'
import { instagramBy } from './index.ts'

/** Lets the account comment below its posts. */
const COMMENT_SCOPE = 'instagram_manage_comments'

type Row = Record<string, unknown>

const linkedTo = (page: Row) => fieldsOf(page.instagram_business_account)

function whyNone(pages: Row[], tokens: Tokens) {
  const names = pages.slice(0, 5).map(({ id, name }) => (typeof name === 'string' ? name : idOf({ id })))
  const further = mayReadPortfolios(tokens) ? '' : ` Facebook may have listed only some Pages. ${PORTFOLIOS_MISSING}`
  return `No professional account of Instagram is linked to: ${names.join(', ')}. Switch the account to a professional one, link it in the settings of the Page, and sign in again with both allowed.${further}`
}

/** The accounts that are linked to Pages on which the person can publish, each with the token of its Page. */
async function candidates(deps: Deps, tokens: Tokens): Promise<Candidate[]> {
  const pages = await listPages(deps, tokens, `id,name,instagram_business_account{id,${NAME_FIELDS}}`)
  const found = pages.filter((page) => linkedTo(page).id !== undefined)
  if (found.length === 0)
    throw new NetworkFault({ kind: 'failed', code: 'no_account', message: whyNone(pages, tokens) })
  const canComment = tokens.scopes === null || tokens.scopes.includes(COMMENT_SCOPE)
  return found.map((page) => {
    const account = linkedTo(page)
    const credentials: Credentials = { page_token: String(page.access_token) }
    return {
      ...{ external_id: idOf(account), kind: 'profile', ...describe(account) },
      ...(!canComment && { limits: { first_comment: false } }),
      credentials: JSON.stringify(credentials),
    }
  })
}

const signIn: OAuthProvider = {
  ...facebookLogin,
  scopes: {
    publish: ['instagram_basic', 'instagram_content_publish', 'pages_show_list', 'pages_read_engagement'],
    optional: [COMMENT_SCOPE, 'instagram_manage_insights', PORTFOLIO_SCOPE],
  },
  candidates,
  registration: {
    url: 'https://developers.facebook.com/apps',
    steps: [
      {
        en: 'Create an app with the use case "Manage messaging & content on Instagram". An app for Facebook can get it beside its own.',
        tr: '"Manage messaging & content on Instagram" kullanım durumuyla bir uygulama oluşturun. Facebook için olan bir uygulamaya da eklenebilir.',
      },
      {
        en: 'Choose "API setup with Facebook login", and add these permissions: instagram_basic, instagram_content_publish, pages_show_list, pages_read_engagement, instagram_manage_comments, instagram_manage_insights, business_management.',
        tr: '"API setup with Facebook login" seçeneğini açın ve şu izinleri ekleyin: instagram_basic, instagram_content_publish, pages_show_list, pages_read_engagement, instagram_manage_comments, instagram_manage_insights, business_management.',
      },
      {
        en: 'Under Facebook Login for Business, add the redirect address to "Valid OAuth Redirect URIs".',
        tr: 'Facebook Login for Business altında yönlendirme adresini "Valid OAuth Redirect URIs" alanına ekleyin.',
      },
      copyAppSecret,
      {
        en: 'Publish the app with the address of a privacy policy.',
        tr: 'Uygulamayı bir gizlilik politikası adresiyle yayına alın.',
      },
    ],
    works_for: 'own_accounts',
    notes: {
      en: 'Instagram fetches pictures and videos from Meydan, so its address must be public and use https. Only professional accounts that are linked to a Page can publish. For accounts of people without a role in the app, Meta reviews each permission and verifies your business.',
      tr: "Instagram resim ve videoları Meydan'dan indirir; bu yüzden adresi herkese açık ve https olmalıdır. Yalnızca bir Sayfaya bağlı profesyonel hesaplar yayımlayabilir. Uygulamada rolü olmayanların hesapları için Meta her izni inceler ve işletmenizi doğrular.",
    },
  },
}

/** The same accounts, for people who manage them by their Pages. They need no sign-in at Instagram. */
export const instagramFacebook: Network = {
  ...instagramBy({
    replyTo: replyToPage,
    ask: askAsPage,
    pathOf: ({ account }) => `/${account.external_id}`,
  }),
  id: 'instagram_facebook',
  name: 'Instagram (Facebook login)',
  description: {
    en: 'Publishes on professional accounts of Instagram that are linked to your Facebook Pages.',
    tr: "Instagram'ın Facebook Sayfalarınıza bağlı profesyonel hesaplarında yayımlar.",
  },
  connect: { kind: 'oauth2', provider: signIn },
}
