import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf } from '../calls/call.ts'
import { tokenExchange } from '../meta/account-api.ts'
import { callGraph, idOf } from '../meta/graph.ts'
import { readSignedRequest } from '../meta/signed-request.ts'
import type { Candidate, OAuthProvider } from '../oauth/provider.ts'
import type { Tokens } from '../oauth/tokens.ts'
import { ACCOUNT_FIELDS, apiVersion, describe, graphOf, tokenHost } from './api.ts'

const { extend, renew } = tokenExchange({ host: tokenHost, prefix: 'th', tokenIn: 'header' })

const externalUserId = async (deps: Deps, { access_token: token }: Tokens) =>
  idOf(await callGraph(deps, graphOf(deps), { token, path: '/me', params: { fields: 'id' } }))

async function candidates(deps: Deps, { access_token: token }: Tokens): Promise<Candidate[]> {
  const account = fieldsOf(
    await callGraph(deps, graphOf(deps), { token, path: '/me', params: { fields: ACCOUNT_FIELDS } }),
  )
  const { handle, name, avatar } = describe(account)
  const url = `https://www.threads.com/@${encodeURIComponent(handle)}`
  return [{ external_id: idOf(account), kind: 'profile', name, handle, url, credentials: null, avatar }]
}

export const signIn: OAuthProvider = {
  endpoints: () => ({
    authorize: 'https://threads.net/oauth/authorize',
    token: `${tokenHost.base}/oauth/access_token`,
  }),
  originKey: 'threads',
  clientAuth: 'body',
  scopeSeparator: ',',
  scopes: {
    publish: ['threads_basic', 'threads_content_publish'],
    // Needed for the later parts of a thread, for finding a part whose response was lost, and for deletion.
    optional: ['threads_manage_replies', 'threads_read_replies', 'threads_delete', 'threads_manage_insights'],
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
        en: 'Create an app with the use case "Access the Threads API".',
        tr: '"Access the Threads API" kullanım durumuyla bir uygulama oluşturun.',
      },
      {
        en: 'Add these permissions to the use case: threads_basic, threads_content_publish, threads_manage_replies, threads_read_replies, threads_delete.',
        tr: 'Kullanım durumuna şu izinleri ekleyin: threads_basic, threads_content_publish, threads_manage_replies, threads_read_replies, threads_delete.',
      },
      {
        en: 'In the settings of the use case, add the redirect address, then copy Threads App ID and Threads App secret. They differ from those of the app.',
        tr: 'Kullanım durumunun ayarlarında yönlendirme adresini ekleyin, ardından Threads App ID ile Threads App secret değerlerini kopyalayın. Uygulamanın kendi değerlerinden farklıdır.',
      },
      {
        en: 'Under App roles, add your accounts as Threads testers. They accept the invitation in the settings of Threads, under Website permissions.',
        tr: 'App roles altında hesaplarınızı Threads testçisi olarak ekleyin. Daveti Threads ayarlarında, Web sitesi izinleri altında kabul ederler.',
      },
    ],
    works_for: 'own_accounts',
    notes: {
      en: 'Threads fetches pictures and videos from Meydan, so its address must be public and use https. For accounts that are no testers, Meta reviews each permission.',
      tr: "Threads resim ve videoları Meydan'dan indirir; bu yüzden adresi herkese açık ve https olmalıdır. Testçi olmayan hesaplar için Meta her izni inceler.",
    },
  },
}
