import type { Deps } from '../../../lib/deps.ts'
import { call, fieldsOf, jsonOf } from '../calls/call.ts'
import { callGraph, idOf, requireSuccess, rowsOf } from '../meta/graph.ts'
import { readSignedRequest } from '../meta/signed-request.ts'
import { NetworkFault } from '../network.ts'
import type { Candidate, OAuthApp, OAuthProvider } from '../oauth/provider.ts'
import type { Tokens } from '../oauth/tokens.ts'
import { apiVersion, authorizeUrlOf, type Credentials, describe, graphOf, PAGE_FIELDS, tokenUrlOf } from './api.ts'
import { listPages, PORTFOLIO_SCOPE } from './page-list.ts'

/** Lets the Page comment. */
const COMMENT_SCOPE = 'pages_manage_engagement'

/**
 * Exchanges the token of an hour for one of 60 days. The tokens of Pages that are made with it do not expire, so neither
 * does the connection. The response names no scopes, of which the person can have refused some.
 */
async function extend(deps: Deps, { client_id, client_secret }: OAuthApp, { access_token }: Tokens): Promise<Tokens> {
  const query = new URLSearchParams({
    grant_type: 'fb_exchange_token',
    client_id,
    client_secret,
    fb_exchange_token: access_token,
  })
  const { originKey } = graphOf(deps)
  const reply = await call(deps, { url: `${tokenUrlOf(deps)}?${query}`, originKey })
  const { access_token: token } = fieldsOf(jsonOf(requireSuccess(deps, reply, access_token)))
  if (typeof token !== 'string')
    throw new NetworkFault({ kind: 'unavailable', message: 'Facebook gave no token for 60 days.' })
  const permissions = rowsOf(await callGraph(deps, graphOf(deps), { token, path: '/me/permissions' }))
  const scopes = permissions.flatMap(({ permission, status }) =>
    status === 'granted' && typeof permission === 'string' ? [permission] : [],
  )
  return { access_token: token, refresh_token: null, expires_in: null, scopes }
}

/** The person, as the app knows them. */
const externalUserId = async (deps: Deps, { access_token: token }: Tokens) =>
  idOf(await callGraph(deps, graphOf(deps), { token, path: '/me', params: { fields: 'id' } }))

/** Removes the app from the person's account, with the token of the app: that of the person ends after 60 days. */
async function revoke(
  deps: Deps,
  { client_id, client_secret }: OAuthApp,
  { external_user_id }: { external_user_id: string | null },
) {
  const path = `/${external_user_id}/permissions`
  await callGraph(deps, graphOf(deps), { method: 'DELETE', token: `${client_id}|${client_secret}`, path })
}

/** The Pages on which the person can publish, each with a token of its own. */
async function candidates(deps: Deps, tokens: Tokens): Promise<Candidate[]> {
  const { scopes } = tokens
  const canComment = scopes === null || scopes.includes(COMMENT_SCOPE)
  const pages = await listPages(deps, tokens, PAGE_FIELDS)
  return pages.map((page) => {
    const { avatar, ...names } = describe(page)
    const credentials: Credentials = { page_token: String(page.access_token) }
    return {
      external_id: idOf(page),
      ...names,
      kind: 'page',
      url: `https://www.facebook.com/${typeof page.username === 'string' ? page.username : page.id}`,
      ...(avatar && { avatar }),
      ...(!canComment && { limits: { first_comment: false } }),
      credentials: JSON.stringify(credentials),
    }
  })
}

/** The sign-in of people, whatever is published with the tokens of their Pages. */
export const facebookLogin = {
  endpoints: (deps) => ({ authorize: authorizeUrlOf(deps), token: tokenUrlOf(deps) }),
  originKey: 'facebook',
  clientAuth: 'body',
  scopeSeparator: ',',
  pkce: false,
  extend,
  renewal: { kind: 'none' },
  revocation: { ends: 'person', revoke },
  externalUserId,
  readNotice: readSignedRequest,
  apiVersion,
} satisfies Partial<OAuthProvider>

/** Step of the registration of an app that both networks have. */
export const copyAppSecret = {
  en: 'Under App settings, Basic, copy App ID and App secret.',
  tr: 'App settings, Basic altında App ID ile App secret değerlerini kopyalayın.',
}

export const signIn: OAuthProvider = {
  ...facebookLogin,
  scopes: {
    publish: ['pages_show_list', 'pages_read_engagement', 'pages_manage_posts'],
    optional: [COMMENT_SCOPE, PORTFOLIO_SCOPE],
  },
  candidates,
  registration: {
    url: 'https://developers.facebook.com/apps',
    steps: [
      {
        en: 'Create an app with the use case "Manage everything on your Page".',
        tr: '"Manage everything on your Page" kullanım durumuyla bir uygulama oluşturun.',
      },
      {
        en: 'Add these permissions to the use case: pages_show_list, pages_read_engagement, pages_manage_posts, pages_manage_engagement, business_management.',
        tr: 'Kullanım durumuna şu izinleri ekleyin: pages_show_list, pages_read_engagement, pages_manage_posts, pages_manage_engagement, business_management.',
      },
      {
        en: 'Under Facebook Login, add the redirect address to "Valid OAuth Redirect URIs".',
        tr: 'Facebook Login altında yönlendirme adresini "Valid OAuth Redirect URIs" alanına ekleyin.',
      },
      copyAppSecret,
      {
        en: 'Publish the app with the address of a privacy policy. Until then, only people with a role in the app see its posts.',
        tr: 'Uygulamayı bir gizlilik politikası adresiyle yayına alın. O zamana dek gönderilerini yalnızca uygulamada rolü olanlar görür.',
      },
    ],
    works_for: 'own_accounts',
    notes: {
      en: 'For Pages of people without a role in the app, Meta reviews each permission and verifies your business.',
      tr: 'Uygulamada rolü olmayanların Sayfaları için Meta her izni inceler ve işletmenizi doğrular.',
    },
  },
}
