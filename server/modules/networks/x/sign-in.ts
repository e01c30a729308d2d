import type { Deps } from '../../../lib/deps.ts'
import { NetworkFault } from '../network.ts'
import type { Candidate, OAuthProvider } from '../oauth/provider.ts'
import { revokeTokens } from '../oauth/token-requests.ts'
import type { Tokens } from '../oauth/tokens.ts'
import { API, askData, originKey } from './api.ts'
import { type Authorize, byToken } from './authorization.ts'

export async function readUser(deps: Deps, authorize: Authorize): Promise<Candidate> {
  const user = await askData(deps, authorize, { path: '/2/users/me?user.fields=profile_image_url' })
  const { id, username, name, profile_image_url: picture } = user
  if (typeof id !== 'string' || !/^\d{1,19}$/.test(id) || typeof username !== 'string' || !/^\w{1,20}$/.test(username))
    throw new NetworkFault({ kind: 'unavailable', message: 'X returned no id of the user.' })
  return {
    external_id: id,
    kind: 'user',
    name: typeof name === 'string' ? name : '',
    handle: username,
    url: `https://x.com/${username}`,
    credentials: null,
    avatar: typeof picture === 'string' ? { url: picture, originKey: 'x.media' } : undefined,
  }
}

export const signIn: OAuthProvider = {
  endpoints: () => ({ authorize: 'https://x.com/i/oauth2/authorize', token: `${API}/2/oauth2/token` }),
  originKey,
  clientAuth: 'basic',
  scopeSeparator: ' ',
  scopes: { publish: ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'] },
  pkce: true,
  renewal: { kind: 'refresh_token', single_use: true },
  revocation: {
    ends: 'tokens',
    revoke: (deps, app, { tokens }) => revokeTokens(deps, signIn, app, `${API}/2/oauth2/revoke`, tokens),
  },
  candidates: async (deps: Deps, { access_token }: Tokens) => [await readUser(deps, byToken(access_token))],
  registration: {
    url: 'https://console.x.com',
    steps: [
      {
        en: 'Create an app in the developer console, and add credits. X charges for each post.',
        tr: 'Geliştirici konsolunda bir uygulama oluşturun ve kredi ekleyin. X her gönderi için ücret alır.',
      },
      {
        en: 'Under User authentication settings, choose "Web App" and "Read and write", and add the redirect address.',
        tr: 'User authentication settings altında "Web App" ve "Read and write" seçin, yönlendirme adresini ekleyin.',
      },
      {
        en: 'Copy the OAuth 2.0 Client ID and Client Secret.',
        tr: 'OAuth 2.0 Client ID ve Client Secret değerlerini kopyalayın.',
      },
    ],
    works_for: 'everyone',
    notes: {
      en: 'X charges for each call. Members see the price of a post before they publish it.',
      tr: 'X her çağrı için ücret alır. Üyeler bir gönderinin ücretini yayımlamadan önce görür.',
    },
  },
}
