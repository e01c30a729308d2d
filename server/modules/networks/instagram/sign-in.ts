import type { Deps } from '../../../lib/deps.ts'
import { tokenExchange } from '../meta/account-api.ts'
import { callGraph, idOf } from '../meta/graph.ts'
import { readSignedRequest } from '../meta/signed-request.ts'
import type { Candidate, OAuthProvider } from '../oauth/provider.ts'
import type { Tokens } from '../oauth/tokens.ts'
import { apiVersion, describe, graphOf, NAME_FIELDS, tokenHost } from './api.ts'

/** Lets the account comment below its posts. */
const COMMENT_SCOPE = 'instagram_business_manage_comments'

const { extend, renew } = tokenExchange({ host: tokenHost, prefix: 'ig', tokenIn: 'address' })

/** The id of the person for this app. That of the account is the same for all apps. */
const externalUserId = async (deps: Deps, { access_token: token }: Tokens) =>
  idOf(await callGraph(deps, graphOf(deps), { token, path: '/me', params: { fields: 'id' } }))

async function candidates(deps: Deps, { access_token: token, scopes }: Tokens): Promise<Candidate[]> {
  const params = { fields: `user_id,${NAME_FIELDS}` }
  const account = await callGraph(deps, graphOf(deps), { token, path: '/me', params })
  // `id` differs from app to app.
  const external_id = idOf({ id: String(account.user_id) })
  const canComment = scopes === null || scopes.includes(COMMENT_SCOPE)
  return [
    {
      ...{ external_id, kind: 'profile', credentials: null, ...describe(account) },
      ...(!canComment && { limits: { first_comment: false } }),
    },
  ]
}

export const signIn: OAuthProvider = {
  endpoints: () => ({
    authorize: 'https://www.instagram.com/oauth/authorize',
    token: 'https://api.instagram.com/oauth/access_token',
  }),
  originKey: 'instagram',
  clientAuth: 'body',
  scopeSeparator: ',',
  scopes: {
    publish: ['instagram_business_basic', 'instagram_business_content_publish'],
    optional: [COMMENT_SCOPE, 'instagram_business_manage_insights'],
  },
  pkce: false,
  extend,
  renewal: { kind: 'exchange', renew },
  externalUserId,
  candidates,
  readNotice: readSignedRequest,
  apiVersion,
  registration: {
    url: 'https://developers.facebook.com/apps',
    steps: [
      {
        en: 'Create an app with the use case "Manage messaging & content on Instagram".',
        tr: '"Manage messaging & content on Instagram" kullanım durumuyla bir uygulama oluşturun.',
      },
      {
        en: 'Choose "API setup with Instagram login", and add these permissions: instagram_business_basic, instagram_business_content_publish, instagram_business_manage_comments.',
        tr: '"API setup with Instagram login" seçeneğini açın ve şu izinleri ekleyin: instagram_business_basic, instagram_business_content_publish, instagram_business_manage_comments.',
      },
      {
        en: 'Under "Set up Instagram business login", add the redirect address. Then copy Instagram app ID and Instagram app secret. They differ from those of the app.',
        tr: '"Set up Instagram business login" altında yönlendirme adresini ekleyin. Ardından Instagram app ID ile Instagram app secret değerlerini kopyalayın. Uygulamanın kendi değerlerinden farklıdır.',
      },
      {
        en: 'Under App roles, add your accounts as Instagram testers. They accept the invitation in the settings of Instagram, under Website permissions.',
        tr: 'App roles altında hesaplarınızı Instagram testçisi olarak ekleyin. Daveti Instagram ayarlarında, Web sitesi izinleri altında kabul ederler.',
      },
    ],
    works_for: 'own_accounts',
    notes: {
      en: 'Instagram fetches pictures and videos from Meydan, so its address must be public and use https. Only professional accounts can publish. For accounts that are no testers, Meta reviews each permission.',
      tr: "Instagram resim ve videoları Meydan'dan indirir; bu yüzden adresi herkese açık ve https olmalıdır. Yalnızca profesyonel hesaplar yayımlayabilir. Testçi olmayan hesaplar için Meta her izni inceler.",
    },
  },
}
