import { type Selectable, sql } from 'kysely'
import type { Static } from 'typebox'
import { DAY } from '../../../../shared/time.ts'
import { notFound } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { PostVersion as PostVersionRow } from '../../../lib/db/database-types.ts'
import { type PageInput, page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { changePost } from '../authoring/create-and-change.ts'
import type { StoredPart } from '../record/posts.schema.ts'
import type { PostVersion, PostVersionSummary, versionParams } from './versions.schema.ts'

/**
 * Versions of what readers see of a post. The database writes one at the end of each transaction that changed it
 * (`write_post_version`), so no way to change a post can leave it out. Before the first change it writes what the post
 * was until then (`keep_first_version`); of a post that never changed, `post_history` composes it. The database also
 * deletes the oldest beyond 100 of a post, or beyond a megabyte of large ones.
 */
const KEPT_DAYS = 365

/** Every version of posts, also a first one that is not stored. */
export const postHistory = sql<Selectable<PostVersionRow>>`post_history`.as('version')

/** Rows that one statement deletes. */
const BATCH = 5000

type Params = Static<typeof versionParams>
type Workspace = Pick<Member, 'workspace_id'>
type Summary = Static<typeof PostVersionSummary>

const select = (db: Db, workspace_id: string, post_id: string) =>
  db
    .selectFrom(postHistory)
    .innerJoin('post', 'post.id', 'version.post_id')
    .leftJoin('user', 'user.id', 'version.user_id')
    .leftJoin('api_token', (join) =>
      join
        .onRef('api_token.id', '=', 'version.token_id')
        .onRef('api_token.user_id', '=', 'version.user_id')
        .on('api_token.revoked_at', 'is', null),
    )
    .select(['version.id', 'version.post_id', 'version.number', 'version.restored_number'])
    .select(['version.created_at', 'version.token_id', 'api_token.name as token_name'])
    .select([
      sql<Summary['source']>`version.source`.as('source'),
      sql<Summary['changed']>`coalesce((
        select changed_parts(v.content, version.content) from post_version v
        where v.post_id = post.id and v.number < version.number order by v.number desc limit 1), '{}')`.as('changed'),
      sql<boolean>`version.number = coalesce((select max(number) from post_version v where v.post_id = post.id), 1)`.as(
        'is_current',
      ),
      sql<Summary['by']>`case when "user".id is not null
        then json_build_object('id', "user".id, 'name', "user".name) end`.as('by'),
    ])
    .where('post.workspace_id', '=', workspace_id)
    .where('version.post_id', '=', post_id)
    .where('post.deleted_at', 'is', null)

/** Lists the versions of a post without their texts, newest first. */
export async function listVersions(db: Db, { workspace_id }: Workspace, post_id: string, input: PageInput) {
  const post = await db
    .selectFrom('post')
    .select('id')
    .where('id', '=', post_id)
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!post) throw notFound()
  const newestFirst = {
    by: { number: 'version.number' },
    direction: 'desc',
    decode: (text: string) => (/^\d{1,9}$/.test(text) ? [text] : undefined),
  } as const
  return page(select(db, workspace_id, post_id), newestFirst, input)
}

/** The content as `post_content` makes it. */
type Content = {
  content: string
  media_ids: string[]
  thread: StoredPart[]
  first_comment: string | null
  targets:
    | {
        account_id: string
        content: string | null
        media_ids: string[] | null
        thread: StoredPart[] | null
        first_comment: string | null
        options: Record<string, unknown>
      }[]
    | null
  media: { id: string; alt: string; name: string | null }[] | null
}

export async function readVersion(
  db: Db,
  { workspace_id }: Workspace,
  { id, version_id }: Params,
): Promise<Static<typeof PostVersion>> {
  const row = await select(db, workspace_id, id)
    .select(sql<Content>`version.content`.as('said'))
    .where('version.id', '=', version_id)
    .executeTakeFirst()
  if (!row) throw notFound()
  const { said, ...version } = row
  const targets = said.targets ?? []
  const media = said.media ?? []
  const accounts = await db
    .selectFrom('account')
    .select(['id', 'network', 'handle', 'deleted_at'])
    .where(sql<boolean>`id = any(${targets.map((target) => target.account_id)}::uuid[])`)
    .where('workspace_id', '=', workspace_id)
    .execute()
  const files = await db
    .selectFrom('media')
    .select('id')
    .where(sql<boolean>`id = any(${media.map((file) => file.id)}::uuid[])`)
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .execute()
  const accountOf = new Map(accounts.map((account) => [account.id, account]))
  const present = new Set(files.map((file) => file.id))
  return {
    ...version,
    ...said,
    targets: targets.map((target) => {
      const account = accountOf.get(target.account_id)
      return {
        ...target,
        network: account?.network ?? null,
        handle: account?.handle ?? null,
        is_removed: !account || account.deleted_at !== null,
      }
    }),
    media: media.map((file) => ({ ...file, is_deleted: !present.has(file.id) })),
  }
}

/**
 * Makes a post say what it said: an edit like any other, which keeps its labels and its time. Accounts that were removed
 * since are left out. Throws for files that were deleted since.
 */
export async function restoreVersion(deps: Deps, caller: Member, params: Params, ifMatch: IfMatch) {
  const version = await readVersion(deps.db, caller, params)
  const { content, media_ids, thread, first_comment, number } = version
  const targets = version.targets
    .filter((target) => !target.is_removed)
    .map(({ account_id, content, media_ids, thread, first_comment, options }) => ({
      ...{ account_id, content, media_ids, thread, first_comment, options },
    }))
  const input = { content, media_ids, thread, first_comment, targets }
  return changePost(deps, caller, params.id, input, ifMatch, { restored_number: number })
}

/**
 * Deletes versions that are too old, by the time in their ids. The newest of a post stays: the next change is compared
 * with it.
 */
export async function deleteOldVersions({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const before = new Date(clock.now().getTime() - KEPT_DAYS * DAY)
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from post_version where id in (
        select id from post_version v where id < (select uuidv7(${before}::timestamptz - now()))
          and exists (select from post_version newer where newer.post_id = v.post_id and newer.number > v.number)
        limit ${BATCH})`.execute(db)
    if (numAffectedRows < BATCH) return
  }
}
