import { sql } from 'kysely'
import type { Static } from 'typebox'
import { MINUTE } from '../../../../shared/time.ts'
import { invalid, notFound, problem } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { Complete } from '../../../lib/http/idempotency.ts'
import { atLeast } from '../../../lib/http/roles.ts'
import { grants } from '../../../lib/http/scopes.ts'
import { assertStorageOfCopies, copyFiles, giveUpCopies, recordCopies } from '../../media/upload/copy.ts'
import { readMembership } from '../../workspaces/workspaces.ts'
import { createPost } from '../authoring/create-and-change.ts'
import { byMember } from '../authoring/insert-posts.ts'
import { mediaIdsOf } from '../record/post-media.ts'
import type { NewPost, StoredPart } from '../record/posts.schema.ts'
import { readPost } from '../record/select-posts.ts'
import { optionProblems } from '../validation/problems.ts'
import { type CopiedPost, ownFields } from './copies.schema.ts'

/** Time in which the files of a post are copied. A bucket copies 2 GB in seconds, an old disk in a minute. */
export const COPY_MS = 15 * MINUTE

type Post = Awaited<ReturnType<typeof readPost>>
type SourceTarget = Post['targets'][number]
type NewTargets = NonNullable<Static<typeof NewPost>['targets']>

/** The caller as a member of the workspace that gets the copy. One that the caller does not see is not found. */
export async function memberOfTarget(db: Db, caller: Member, workspace_id: string): Promise<Member> {
  const { user_id, token } = caller
  if (token?.membership && token.membership.workspace_id !== workspace_id) throw notFound()
  const [membership] = await readMembership(db, { user_id, workspace: workspace_id })
  if (!membership) throw notFound()
  if (!atLeast(membership.role, 'author'))
    throw problem('forbidden_role', {
      detail: `This requires the role author in the other workspace; yours is ${membership.role}.`,
    })
  return { ...caller, ...membership }
}

function checkMediaScope({ token }: Member) {
  if (token?.scopes.length && !grants(token.scopes, 'media:write'))
    throw problem('insufficient_scope', {
      detail: 'The token lacks the scope media:write, which a copy of a post with files needs.',
      extra: { scope: 'media:write' },
    })
}

/** The accounts of a workspace that are the same on their network as those of a post in another. */
async function sameAccounts(db: Db, post_id: string, workspace_id: string) {
  const { rows } = await sql<{ source_id: string; account_id: string }>`
    select source.id as source_id, account.id as account_id
    from post_target as t join account as source on source.id = t.account_id
    join account on account.workspace_id = ${workspace_id} and account.network = source.network
      and account.external_id = source.external_id and account.deleted_at is null
    where t.post_id = ${post_id}`.execute(db)
  return new Map(rows.map(({ source_id, account_id }) => [source_id, account_id]))
}

const isOwn = ({ options, ...own }: SourceTarget, field: (typeof ownFields)[number]) =>
  field === 'options' ? Object.keys(options).length > 0 : own[field] !== null

const leftOut = (target: SourceTarget) => ({
  account_id: target.account_id,
  network: target.network,
  handle: target.handle,
  left_out_fields: ownFields.filter((field) => isOwn(target, field)),
})

/** Options that the network has stopped accepting would refuse the whole copy. */
const acceptedOptions = ({ network, options }: SourceTarget) =>
  optionProblems({ network, options }, 0).length === 0 ? options : {}

/** The post as it is created in the other workspace, as a draft. `files`: the copied files by the original ones. */
function draftOf(
  post: Post,
  { accounts, files }: { accounts: ReadonlyMap<string, string>; files: ReadonlyMap<string, string> },
): Static<typeof NewPost> {
  const copied = (ids: readonly string[]) => ids.flatMap((id) => files.get(id) ?? [])
  const copiedThread = (thread: readonly StoredPart[]) =>
    thread.map(({ content, media_ids }) => ({ content, media_ids: copied(media_ids) }))
  const targets = post.targets.flatMap((target): NewTargets => {
    const account_id = accounts.get(target.account_id)
    if (account_id === undefined) return []
    const { content, media_ids, thread, first_comment } = target
    return [
      {
        account_id,
        content,
        media_ids: media_ids && copied(media_ids),
        thread: thread && copiedThread(thread),
        first_comment,
        options: acceptedOptions(target),
      },
    ]
  })
  return {
    content: post.content,
    media_ids: copied(post.media_ids),
    thread: copiedThread(post.thread),
    ...(post.first_comment !== null && { first_comment: post.first_comment }),
    labels: post.labels,
    is_idea: post.is_idea,
    targets,
  }
}

type CopyDeps = Pick<Deps, 'db' | 'clock' | 'storage'>

/**
 * Copies a post as a draft into another workspace of the caller. The files are copied first, outside a transaction; their
 * records, the post and the response are one transaction.
 */
export async function copyPost(
  deps: CopyDeps,
  caller: Member,
  id: string,
  { workspace_id: given }: { workspace_id: string },
  complete: Complete,
): Promise<Static<typeof CopiedPost>> {
  const { db, clock } = deps
  const workspace_id = given.toLowerCase()
  const post = await readPost(db, caller, id)
  if (workspace_id === caller.workspace_id)
    throw invalid('/workspace_id', {
      en: 'The post is in this workspace. Choose another one.',
      tr: 'Gönderi zaten bu çalışma alanında. Başka bir alan seçin.',
    })
  await memberOfTarget(db, caller, workspace_id)
  const media_ids = mediaIdsOf(post)
  if (media_ids.length > 0) checkMediaScope(caller)
  const copied = await copyFiles(deps, { from: caller.workspace_id, to: workspace_id }, media_ids)
  try {
    return await inTransaction(db, async (tx) => {
      // Copying can take minutes, in which a member can be removed from either workspace.
      const target = await memberOfTarget(tx, caller, workspace_id)
      const [membership] = await readMembership(tx, { user_id: caller.user_id, workspace: caller.workspace_id })
      if (!membership) throw notFound()
      const files = await recordCopies(tx, deps, target, copied)
      const accounts = await sameAccounts(tx, id, workspace_id)
      const copy = await createPost({ db: tx, clock }, target, draftOf(post, { accounts, files }), byMember, {
        copied_from: { workspace_id: caller.workspace_id, post_id: id },
      })
      await audit(tx, caller, 'post.copied', id, { workspace_id, post_id: copy.id })
      await assertStorageOfCopies(tx, deps, workspace_id, copied)
      const result = {
        workspace_id,
        post: copy,
        left_out_accounts: post.targets.filter(({ account_id }) => !accounts.has(account_id)).map(leftOut),
        left_out_media_ids: media_ids.filter((media_id) => !files.has(media_id)),
      }
      await complete(tx, result)
      return result
    })
  } catch (error) {
    await giveUpCopies(deps, copied)
    throw error
  }
}
