import { invalid } from '../../../errors.ts'
import type { Deps } from '../../../lib/deps.ts'
import { connectProblem, unreachableProblem } from '../calls/connect-problem.ts'
import { type FormField, NetworkFault } from '../network.ts'
import type { ConnectedAccount } from '../network-account.ts'
import type { SigningKeys } from '../oauth/signature.ts'
import { byKeys } from './authorization.ts'
import { readUser } from './sign-in.ts'

/** Keys as the developer console of X names them. */
export const keyFields: FormField[] = [
  {
    key: 'api_key',
    label: { en: 'API key', tr: 'API anahtarı' },
    type: 'password',
    required: true,
    help: {
      en: 'In the developer console of X, open your app, then Keys and tokens. The API key is also named Consumer key.',
      tr: "X'in geliştirici konsolunda uygulamanızı, sonra Keys and tokens bölümünü açın. API Key, Consumer Key adıyla da görünür.",
    },
  },
  {
    key: 'api_secret',
    label: { en: 'API secret', tr: 'API gizli anahtarı' },
    type: 'password',
    required: true,
    help: {
      en: 'Beside the API key, as API Key Secret. X shows it once; Regenerate makes new ones.',
      tr: 'API Key yanında, API Key Secret adıyla. X bunu bir kez gösterir; Regenerate yenilerini oluşturur.',
    },
  },
  {
    key: 'access_token',
    label: { en: 'Access token', tr: 'Erişim belirteci' },
    type: 'password',
    required: true,
    help: {
      en: 'Under Access Token and Secret, for your own account, with the permission Read and write. If you change the permission, generate it again.',
      tr: 'Access Token and Secret altında, kendi hesabınız için, Read and write izniyle. İzni değiştirirseniz yeniden oluşturun.',
    },
  },
  {
    key: 'access_token_secret',
    label: { en: 'Access token secret', tr: 'Erişim belirteci gizli anahtarı' },
    type: 'password',
    required: true,
    help: { en: 'Shown with the access token.', tr: 'Erişim belirteciyle birlikte gösterilir.' },
  },
]

function keyOf(input: Record<string, string>, field: string) {
  const key = (input[field] ?? '').trim()
  if (!/^[\w-]{10,200}$/.test(key))
    throw invalid(`/${field}`, {
      en: 'This is not a key of X: it has letters, digits, hyphens and underscores only.',
      tr: 'Bu bir X anahtarı değil: anahtarlarda yalnızca harf, rakam, kısa çizgi ve alt çizgi bulunur.',
    })
  return key
}

/** Connects an account by the keys of its owner's app. */
export async function connectByKeys(deps: Deps, input: Record<string, string>): Promise<ConnectedAccount> {
  const keys: SigningKeys = {
    consumer_key: keyOf(input, 'api_key'),
    consumer_secret: keyOf(input, 'api_secret'),
    token: keyOf(input, 'access_token'),
    token_secret: keyOf(input, 'access_token_secret'),
  }
  try {
    const { kind: _, ...user } = await readUser(deps, byKeys(deps, keys))
    return { ...user, credentials: JSON.stringify(keys) }
  } catch (cause) {
    if (!(cause instanceof NetworkFault)) throw cause
    const { kind, message } = cause.failure
    // X does not tell which of the keys is wrong.
    if (kind === 'unauthorized' || kind === 'failed')
      throw connectProblem(
        '/api_key',
        'account_refused',
        { en: `X refused these keys: ${message}`, tr: `X bu anahtarları reddetti: ${message}` },
        cause,
      )
    throw unreachableProblem('/api_key', 'X', message, cause)
  }
}
