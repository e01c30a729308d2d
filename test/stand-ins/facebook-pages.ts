import { randomUUID } from 'node:crypto'
import { type Fields, invalidToken, listReply, noPermission, pick, unknownObject } from './facebook-graph.ts'
import { requests } from './facebook-requests.ts'
import type { facebookSignIn } from './facebook-sign-in.ts'
import { instagramNumbers } from './instagram-media.ts'
import { requireRule } from './meta-requests.ts'
import { accountNumbers } from './numbers.ts'
import type { OAuthServer } from './oauth.ts'
import type { Call } from './server.ts'

type Grant = OAuthServer['grants'][number]

/** `portfolio`: lists the Page in place of the person's own list, as one that it owns or one of a client. */
export type Page = {
  id: string
  name: string
  username: string
  tasks: string[]
  picture: string
  portfolio?: string
  of_client?: boolean
  /** The professional account of Instagram that is linked to it. */
  instagram?: { id: string; username: string }
}
/** Token of a Page, which a person got for it. It has the permissions of their sign-in, and ends with it. */
export type PageToken = { page: Page; grant: Grant }

type Settings = {
  signIn: ReturnType<typeof facebookSignIn>
  newId: () => string
  /** Address of the stand-in. */
  url: () => string
}

/** The Pages of the people who sign in, their portfolios, and the tokens of Pages. */
export function facebookPages({ signIn, newId, url }: Settings) {
  const pages = new Map<string, Page>()
  const pageTokens = new Map<string, PageToken>()
  let repeatsList = false

  const tokenOf = (page: Page, grant: Grant) => {
    const known = [...pageTokens].find(([, each]) => each.page === page && each.grant === grant)?.[0]
    const token = known ?? `EAA${randomUUID().replaceAll('-', '')}`
    pageTokens.set(token, { page, grant })
    return token
  }

  const imageOf = ({ picture }: Page) => ({
    data: { url: picture || `${url()}/silhouette.png`, is_silhouette: picture === '' },
  })

  /** The account of Instagram that is linked to a Page; undefined without one. */
  const shownInstagram = ({ name, instagram }: Page): Fields | undefined =>
    instagram && { ...instagram, name, profile_picture_url: `${url()}/picture.png`, ...instagramNumbers }

  const shownPage = ({ page, grant }: PageToken): Fields => ({
    ...{ ...page, picture: imageOf(page), access_token: tokenOf(page, grant) },
    followers_count: accountNumbers.followers,
    instagram_business_account: (grant.scopes.includes('instagram_basic') && shownInstagram(page)) || '',
  })

  const listed = (isListed: (page: Page) => boolean) => [...pages.values()].filter(isListed)

  /** The portfolios of a person, their Pages, and a Page itself. */
  function onPortfolios(grant: Grant, path: string, args: Record<string, string>, token: string): Fields {
    const [, id = '', edge] = path.split('/')
    const page = pages.get(id)
    if (page && edge === undefined) return pick(shownPage({ page, grant }), args.fields)
    if (!grant.scopes.includes('business_management')) throw noPermission('business_management')
    const portfolios = new Set(listed(() => true).flatMap(({ portfolio }) => portfolio ?? []))
    if (path === '/me/businesses')
      return listReply(
        [...portfolios].map((each) => ({ id: each })),
        args,
        token,
      )
    if (!portfolios.has(id) || !['owned_pages', 'client_pages'].includes(edge ?? '')) throw unknownObject('GET', path)
    const theirs = listed(
      ({ portfolio, of_client = false }) => portfolio === id && of_client === (edge === 'client_pages'),
    )
    // The list of the Pages of clients has no tokens.
    const fields = edge === 'client_pages' ? args.fields?.replace(',access_token', '') : args.fields
    const rows = theirs.map((each) => shownPage({ page: each, grant }))
    return listReply(rows, { ...args, ...(fields !== undefined && { fields }) }, token)
  }

  function onUser(call: Call, token: string, path: string): Fields {
    const [, person] = /^\/(\d+)\/permissions$/.exec(path) ?? []
    if (call.method === 'DELETE' && person !== undefined) return signIn.removeApp(token, person)
    const grant = signIn.oauth.grantOf(call)
    if (!grant) throw invalidToken(`Malformed access token ${token}`)
    requireRule(requests.person, { ...call, path }, grant.scopes)
    if (path === '/me') return pick({ id: signIn.idOf(grant.person) }, call.query.get('fields') ?? undefined)
    if (path === '/me/permissions') return { data: signIn.permissionsOf(grant.scopes) }
    const args = Object.fromEntries(call.query)
    if (path !== '/me/accounts') return { ...onPortfolios(grant, path, args, token) }
    // The tokens of Pages would end with one of an hour.
    if (!signIn.isLong(token)) throw noPermission('a token of 60 days')
    const found = grant.scopes.includes('pages_show_list') ? listed((page) => page.portfolio === undefined) : []
    const rows = found.map((page) => shownPage({ page, grant }))
    if (!repeatsList) return listReply(rows, args, token)
    const { after: _, ...first } = args
    const paging = { cursors: { before: 'QQ', after: 'QQ' }, next: 'https://graph.facebook.com/next?after=QQ' }
    return { ...listReply(rows, first, token), paging }
  }

  return {
    tokenOf: (token: string) => pageTokens.get(token),
    shownPage,
    shownInstagram,
    onUser,
    controls: {
      /** Lets each page of the list of Pages lead to itself. */
      repeatList: () => {
        repeatsList = true
      },
      /** Creates a Page that everybody who signs in manages. */
      addPage: (changes: Partial<Page> = {}) => {
        const id = newId()
        const tasks = ['ADVERTISE', 'ANALYZE', 'CREATE_CONTENT', 'MESSAGING', 'MODERATE', 'MANAGE']
        const page: Page = { id, name: `Bakery ${id}`, username: '', tasks, picture: '', ...changes }
        pages.set(id, page)
        return page
      },
    },
  }
}
