import type { Deps } from '../../../lib/deps.ts'
import { refusedUrl } from '../../../lib/outbound/safe-http.ts'
import { call, fieldsOf, jsonOf } from '../calls/call.ts'
import { addressProblem, connectProblem } from '../calls/connect-problem.ts'
import { checkBy } from '../calls/credentials.ts'
import { NetworkFault } from '../network.ts'
import type { ConnectedAccount, OpenAccount } from '../network-account.ts'
import { httpUrl } from '../text/http-url.ts'
import { ask, type Fields, rest, type Site, siteOf, textOf, unclear } from './api.ts'

const MAX_REDIRECTS = 5

/** The address of a site as people copy it: also without a scheme, or of its administration. */
const siteAddress = (text: string) => {
  const typed = text.trim()
  const url = /^[a-z][a-z\d+.-]*:/i.test(typed) && !/^[\w.-]+:\d/.test(typed) ? typed : `https://${typed}`
  return url.replace(/\/wp-(admin|login\.php)\b.*$/i, '/').replace(/#.*$/, '')
}

function requireAllowed(deps: Deps, url: string) {
  const refused = refusedUrl(url, deps.urlRules)
  if (refused) throw addressProblem('/site', refused)
}

/** Asks for the page of a site, and follows where it leads, but never from https to http. */
async function openPage(deps: Deps, address: string) {
  let url = address
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    requireAllowed(deps, url)
    const { status, headers } = await call(deps, { url, method: 'HEAD' })
    const next = [301, 302, 303, 307, 308].includes(status) ? headers.location : undefined
    if (next === undefined || !URL.canParse(next, url)) return { url, link: headers.link ?? '' }
    const target = new URL(next, url)
    if (url.startsWith('https:') && target.protocol === 'http:') break
    url = target.href
  }
  throw connectProblem('/site', 'account_unreachable', {
    en: 'The site redirects too often, or to an address without HTTPS.',
    tr: 'Site çok fazla ya da HTTPS olmayan bir adrese yönlendiriyor.',
  })
}

/**
 * Addresses at which the API can be: the one that the page names, then the usual ones. Only the host of the page gets
 * the password.
 */
function candidates(page: string, link: string) {
  const base = new URL(page)
  const [, named = ''] = /<([^>]+)>;[^,]*\brel="?https:\/\/api\.w\.org\/"?/.exec(link) ?? []
  const api = URL.canParse(named, page) ? new URL(named, page) : undefined
  // Behind a proxy WordPress may believe that it is served without HTTPS.
  if (api) api.protocol = base.protocol
  const folder = new URL(base.pathname.replace(/\/?$/, '/'), base)
  const usual = [new URL('wp-json/', folder).href, new URL('?rest_route=/', folder).href]
  return api?.host === base.host ? [api.href, ...usual] : usual
}

/** Finds the API and its description of the site. */
async function findApi(deps: Deps, address: string, user: Omit<Site, 'api'>): Promise<{ site: Site; root: Fields }> {
  const { url, link } = await openPage(deps, address)
  for (const api of new Set(candidates(url, link))) {
    const site = { ...user, api }
    const reply = await ask(deps, site, '/', {
      query: { _fields: 'name,home,namespaces,authentication,site_icon_url' },
    })
    const root = fieldsOf(jsonOf(reply))
    if (reply.status === 200 && Array.isArray(root.namespaces) && root.namespaces.includes('wp/v2'))
      return { site, root }
  }
  throw connectProblem('/site', 'account_unreachable', {
    en: 'This address has no WordPress, or its REST API is turned off.',
    tr: "Bu adreste WordPress yok ya da REST API'si kapalı.",
  })
}

const NO_ROLE = {
  en: 'This user may not publish posts on the site. The role must be Author or higher.',
  tr: 'Bu kullanıcı sitede yazı yayımlayamaz. Rolü en az Yazar olmalı.',
}

/** The user, with what the role allows. Reading posts would not show a wrong password. */
async function readUser(deps: Deps, site: Site) {
  const query = { context: 'edit', _fields: 'id,slug,capabilities' }
  const { id, slug, capabilities } = fieldsOf(await rest(deps, site, '/wp/v2/users/me', { query }))
  const { publish_posts, upload_files } = fieldsOf(capabilities)
  if (typeof id !== 'number') throw unclear('The site responded without the user.')
  return {
    id,
    slug: String(slug),
    canPublish: publish_posts === true,
    canUpload: upload_files === true,
  }
}

export async function connect(
  deps: Deps,
  { site: typed = '', user = '', app_password = '' }: Record<string, string>,
): Promise<ConnectedAccount> {
  const address = siteAddress(typed)
  requireAllowed(deps, address)
  try {
    const { site, root } = await findApi(deps, address, { user: user.trim(), app_password: app_password.trim() })
    if (!('application-passwords' in fieldsOf(root.authentication)))
      throw connectProblem('/site', 'account_refused', {
        en: 'This site has application passwords turned off. They need HTTPS.',
        tr: 'Bu sitede uygulama parolaları kapalı. HTTPS gerektirirler.',
      })
    const { id, slug, canPublish, canUpload } = await readUser(deps, site)
    if (!canPublish) throw connectProblem('/user', 'account_refused', NO_ROLE)
    const home = new URL(httpUrl(root.home) ?? site.api)
    const icon = httpUrl(root.site_icon_url)
    const place = home.host + home.pathname.replace(/\/$/, '')
    return {
      external_id: `${id}@${site.api}`.slice(0, 500),
      name: textOf(String(root.name ?? '')) || place,
      handle: `${slug}@${place}`,
      url: home.href,
      credentials: JSON.stringify(site),
      ...(icon !== null && { avatar: { url: icon } }),
      ...(!canUpload && { limits: { media: null } }),
    }
  } catch (thrown) {
    throw thrown instanceof NetworkFault ? problemOf(thrown) : thrown
  }
}

function problemOf(fault: NetworkFault) {
  const { kind, message } = fault.failure
  if (kind === 'unauthorized')
    return connectProblem(
      '/app_password',
      'account_refused',
      {
        en: `The site rejected this user and application password: ${message}`,
        tr: `Site bu kullanıcı ve uygulama parolasını reddetti: ${message}`,
      },
      fault,
    )
  if (kind === 'failed' && fault.failure.code === 'url_not_allowed') return addressProblem('/site', undefined, fault)
  if (kind === 'failed')
    return connectProblem('/user', 'account_refused', { en: message, tr: `Site reddetti: ${message}` }, fault)
  return connectProblem(
    '/site',
    'account_unreachable',
    { en: `The site could not be reached: ${message}`, tr: `Siteye ulaşılamadı: ${message}` },
    fault,
  )
}

export const check = (deps: Deps, account: OpenAccount) =>
  checkBy(async () => {
    const { canPublish } = await readUser(deps, siteOf(account))
    if (!canPublish) throw new NetworkFault({ kind: 'unauthorized', message: NO_ROLE.en })
    return {}
  })
