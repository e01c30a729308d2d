import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf } from '../calls/call.ts'
import { NetworkFault } from '../network.ts'
import type { Candidate, OAuthProvider } from '../oauth/provider.ts'
import type { Tokens } from '../oauth/tokens.ts'
import { apiVersion, askFields } from './api.ts'

const common = {
  endpoints: () => ({
    authorize: 'https://www.linkedin.com/oauth/v2/authorization',
    token: 'https://www.linkedin.com/oauth/v2/accessToken',
  }),
  originKey: 'linkedin.www',
  clientAuth: 'body',
  scopeSeparator: ' ',
  pkce: false,
  // Most apps get no refresh token. Without one the grant ends with its access token.
  renewal: { kind: 'refresh_token', single_use: false },
} as const

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** The person who signed in (OpenID Connect). */
export async function readMember(deps: Deps, token: string): Promise<Candidate> {
  const { sub, name, picture } = await askFields(deps, token, { path: '/v2/userinfo' })
  if (typeof sub !== 'string' || !/^[\w-]{1,100}$/.test(sub))
    throw new NetworkFault({ kind: 'unavailable', message: 'LinkedIn returned no id of the member.' })
  return {
    external_id: `urn:li:person:${sub}`,
    kind: 'person',
    name: textOf(name),
    handle: textOf(name),
    url: null,
    credentials: null,
    avatar: typeof picture === 'string' ? { url: picture, originKey: 'linkedin.media' } : undefined,
  }
}

/** Roles that may publish for an organization. */
const PUBLISHERS = ['ADMINISTRATOR', 'CONTENT_ADMINISTRATOR']

/** The pages for which the person may publish. */
export async function readPages(deps: Deps, token: string): Promise<Candidate[]> {
  const query =
    'q=roleAssignee&state=APPROVED&count=100&projection=(elements*(role,organizationalTarget~(id,localizedName,vanityName)))'
  const { elements } = await askFields(deps, token, { path: `/v2/organizationalEntityAcls?${query}` })
  const pages = (Array.isArray(elements) ? elements : []).map(fieldsOf).flatMap((element): Candidate[] => {
    const organization = fieldsOf(element['organizationalTarget~'])
    const id = String(organization.id ?? '')
    if (!PUBLISHERS.includes(textOf(element.role)) || !/^\d{1,20}$/.test(id)) return []
    const handle = textOf(organization.vanityName)
    return [
      {
        external_id: `urn:li:organization:${id}`,
        kind: 'page',
        name: textOf(organization.localizedName),
        handle: handle || id,
        url: `https://www.linkedin.com/company/${encodeURIComponent(handle || id)}/`,
        credentials: null,
      },
    ]
  })
  // A person can have several roles on one page.
  return [...new Map(pages.map((page) => [page.external_id, page])).values()]
}

const createApp = {
  en: 'Create an app. LinkedIn ties it to a company page, whose administrator confirms it.',
  tr: 'Bir uygulama oluşturun. LinkedIn onu bir şirket sayfasına bağlar; sayfanın yöneticisi bunu onaylar.',
}
const copyAddress = {
  en: 'Under Auth, add the redirect address, then copy Client ID and Primary Client Secret.',
  tr: 'Auth altında yönlendirme adresini ekleyin, ardından Client ID ile Primary Client Secret değerlerini kopyalayın.',
}

export const memberSignIn: OAuthProvider = {
  ...common,
  scopes: { publish: ['openid', 'profile', 'w_member_social'] },
  candidates: async (deps: Deps, { access_token }: Tokens) => [await readMember(deps, access_token)],
  apiVersion,
  registration: {
    url: 'https://www.linkedin.com/developers/apps',
    steps: [
      createApp,
      {
        en: 'Under Products, add "Share on LinkedIn" and "Sign In with LinkedIn using OpenID Connect". Both are granted at once.',
        tr: 'Products altında "Share on LinkedIn" ve "Sign In with LinkedIn using OpenID Connect" ürünlerini ekleyin. İkisi de hemen verilir.',
      },
      copyAddress,
    ],
    works_for: 'everyone',
    notes: {
      en: 'LinkedIn lets most apps publish for 60 days. Then each member signs in again.',
      tr: 'LinkedIn çoğu uygulamaya 60 gün yayın izni verir. Sonra her üye yeniden giriş yapar.',
    },
  },
}

export const pageSignIn: OAuthProvider = {
  ...common,
  scopes: { publish: ['w_organization_social', 'r_organization_social', 'rw_organization_admin'] },
  candidates: (deps: Deps, { access_token }: Tokens) => readPages(deps, access_token),
  apiVersion,
  registration: {
    url: 'https://www.linkedin.com/developers/apps',
    steps: [
      createApp,
      {
        en: 'Under Products, request "Community Management API". LinkedIn gives it only to an app with no other product, so use a second app beside the one for members.',
        tr: 'Products altında "Community Management API" için başvurun. LinkedIn bunu yalnızca başka ürünü olmayan bir uygulamaya verir; üyeler için olanın yanında ikinci bir uygulama kullanın.',
      },
      copyAddress,
    ],
    works_for: 'none',
    notes: {
      en: 'LinkedIn reviews a registered company, its website and its privacy policy. A rejection is final for that app.',
      tr: 'LinkedIn kayıtlı bir şirketi, web sitesini ve gizlilik politikasını inceler. Bir ret o uygulama için kesindir.',
    },
  },
}
