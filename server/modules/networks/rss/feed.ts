import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { linksIn } from '../../../../shared/text/links.ts'
import { titleAndBody } from '../../../../shared/text/title-and-body.ts'
import { DAY } from '../../../../shared/time.ts'
import { notFound } from '../../../errors.ts'
import type { Deps } from '../../../lib/deps.ts'
import { renewMediaUrl } from '../../media/serving.ts'
import { htmlOf, paragraphsOf } from '../text/article-html.ts'
import { httpUrl } from '../text/http-url.ts'
import type { ItemFile } from './items.ts'

const MAX_ITEMS = 100
/** Addresses of files are the same for a week, so that a feed without changes stays the same. */
const RENEWED_MS = 7 * DAY
/** Time for which the address of a file works at least. */
const KEPT_MS = 30 * DAY

/** Address of a feed. Its id cannot be guessed, so only those who got it find it. */
export const feedUrl = ({ baseUrl }: Pick<Deps, 'baseUrl'>, id: string) => `${baseUrl}/feeds/${id}.xml`

/** A feed as its account was connected. */
type FeedForm = { title?: string; description?: string; language?: string; link?: string }

/**
 * `locale`: the locale of the workspace. `changed_at`: time of the last change of the feed or an item. `period`: start of
 * the time in which the addresses of its files stay the same.
 */
type FeedState = { account_id: string; locale: string; form: FeedForm; changed_at: Date; period: Date }

/** Finds a feed that is connected, in a workspace that is not deleted. Throws 404. */
export async function readFeed({ db, clock }: Deps, id: string): Promise<FeedState & { etag: string }> {
  const feed = await db
    .selectFrom('account')
    .innerJoin('workspace', 'workspace.id', 'account.workspace_id')
    .select(['account.id as account_id', 'workspace.locale', sql<FeedForm>`account.form`.as('form')])
    .select(
      sql<Date>`greatest(account.updated_at, (select max(updated_at) from rss_item where account_id = account.id))`.as(
        'changed_at',
      ),
    )
    .where('account.network', '=', 'rss')
    .where('account.external_id', '=', id)
    .where('account.deleted_at', 'is', null)
    .where('workspace.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!feed) throw notFound()
  const period = new Date(Math.floor(clock.now().getTime() / RENEWED_MS) * RENEWED_MS)
  const state = { ...feed, period }
  return { ...state, etag: `"${createHash('sha256').update(JSON.stringify(state)).digest('base64url').slice(0, 27)}"` }
}

/** Characters that XML 1.0 cannot carry. */
const notInXml = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

/** Text for XML. The library writes some texts as CDATA, which `]]>` would end. */
const plain = (text: string) => text.replace(notInXml, '').replaceAll(']]>', ']] >')

function fileHtml({ url, mime, kind, alt }: ItemFile) {
  const [src, label] = [htmlOf(url), htmlOf(alt)]
  if (kind === 'video') return `<p><video controls src="${src}"></video></p>`
  if (mime.startsWith('image/')) return `<p><img src="${src}" alt="${label}"></p>`
  return `<p><a href="${src}">${label || 'PDF'}</a></p>`
}

/** Writes a feed in RSS 2.0. Its addresses of files are signed anew. */
export async function renderFeed(deps: Deps, id: string, { account_id, locale, form, changed_at, period }: FeedState) {
  const { title = '', description = '', language = locale, link = feedUrl(deps, id) } = form
  const { Feed } = await import('feed')
  const feed = new Feed({
    title: plain(title),
    description: plain(description),
    link,
    feed: feedUrl(deps, id),
    updated: changed_at,
    generator: 'Meydan',
    language,
  })
  const items = await deps.db
    .selectFrom('rss_item')
    .select(['attempt_key', 'title', 'content', 'link', 'created_at', sql<ItemFile[]>`files`.as('files')])
    .where('account_id', '=', account_id)
    .where('removed_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(MAX_ITEMS)
    .execute()
  const expires = new Date(period.getTime() + RENEWED_MS + KEPT_MS)
  for (const item of items) {
    const { title, body } = titleAndBody(item.content, item.title)
    const files = item.files.map((file) => ({ ...file, url: renewMediaUrl(deps, file.url, expires) }))
    const [first] = files
    feed.addItem({
      guid: item.attempt_key,
      title: plain(title),
      link: item.link ?? firstLink(item.content) ?? '',
      date: item.created_at,
      description: plain([...paragraphsOf(body), ...files.map(fileHtml)].join('\n')),
      ...(first && { enclosure: { url: first.url, type: first.mime, length: first.bytes } }),
    })
  }
  return feed.rss2()
}

const firstLink = (text: string) =>
  linksIn(text)
    .map(({ url }) => httpUrl(url))
    .find((url) => url !== null)
