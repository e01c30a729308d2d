import { sql } from 'kysely'
import type { Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { NetworkFault, type Publication, type Published, type PublishedPost } from '../network.ts'
import { textOption } from '../options.ts'
import { httpUrl } from '../text/http-url.ts'

/** A file of an item. `url`: signed, and expired some time after it was published. */
export type ItemFile = { url: string; mime: string; bytes: number; kind: string; alt: string }

/** Adds the post by one statement, which leaves one item however often it runs. */
export async function publish({ db }: Deps, publication: Publication): Promise<Published> {
  const { account, key, parts, options, now, step } = publication
  const [part] = parts
  const link = httpUrl(textOption(options.link))
  if (textOption(options.link) && link === null)
    throw new NetworkFault({ kind: 'failed', code: 'rejected_by_network', message: 'The link is no web address.' })
  return step('post 0', {
    part: 0,
    run: async () => {
      const files = await Promise.all(part.media.map(fileOf))
      await db
        .insertInto('rss_item')
        .values({
          workspace_id: account.workspace_id,
          account_id: account.id,
          attempt_key: key,
          title: textOption(options.title),
          content: part.text,
          link,
          files: JSON.stringify(files),
          created_at: now,
          updated_at: now,
        })
        .onConflict((conflict) =>
          conflict.column('attempt_key').doUpdateSet((item) => ({
            title: item.ref('excluded.title'),
            content: item.ref('excluded.content'),
            link: item.ref('excluded.link'),
            files: item.ref('excluded.files'),
            updated_at: item.ref('excluded.updated_at'),
          })),
        )
        .execute()
      return { external_id: key, url: link }
    },
    ifLost: 'repeat',
  })
}

/** Opened once, so that its copy for readers exists before they fetch it. */
async function fileOf({ open, url, kind, alt }: Publication['parts'][0]['media'][number]): Promise<ItemFile> {
  const { stream, mime, bytes } = await open()
  stream.destroy()
  return { url: await url(), mime, bytes, kind, alt }
}

const itemOf = ({ account, external_id }: PublishedPost) =>
  sql<boolean>`attempt_key = ${external_id} and account_id = ${account.id} and removed_at is null`

export const edit = async ({ db, clock }: Deps, post: PublishedPost, content: string) => {
  await db.updateTable('rss_item').set({ content, updated_at: clock.now() }).where(itemOf(post)).execute()
}

export const remove = async ({ db, clock }: Deps, post: PublishedPost) => {
  const now = clock.now()
  await db
    .updateTable('rss_item')
    .set({ title: '', content: '', link: null, files: '[]', updated_at: now, removed_at: now })
    .where(itemOf(post))
    .execute()
}

export const eraseFeedItems = (tx: Tx, workspace_id: string) =>
  tx.deleteFrom('rss_item').where('workspace_id', '=', workspace_id).execute()
