import { sql } from 'kysely'
import type { Static } from 'typebox'
import { DAY } from '../../../../shared/time.ts'
import { type Db, FIRST_ID, LAST_ID } from '../../../lib/db/database.ts'
import { type IndexRange, isInRange } from '../../../lib/db/index-range.ts'
import { type PageInput, page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { listUsableApps } from '../../networks/apps/apps.ts'
import { authorizationServerAt } from '../../networks/apps/server-apps.ts'
import { isGranted } from '../../networks/oauth/scopes.ts'
import { findNetwork } from '../../networks/registry.ts'
import { listAccounts, type readAccount } from '../accounts.ts'
import { ENDS_SOON_MS, openTokens } from '../grants/grants.ts'
import { type AccountHealth, reasonCodes } from './health.schema.ts'

type UsableApp = Awaited<ReturnType<typeof listUsableApps>>[number]
type Context = { deps: Deps; apps: UsableApp[]; now: Date }
type Account = Awaited<ReturnType<typeof readAccount>>
type Health = Static<typeof AccountHealth>
type Reason = Health['reasons'][number]

/** Error codes of posts for which another reason stands. */
const COVERED_ERRORS = ['account_disconnected', 'account_paused', 'workspace_deleted']

/** The scheduled posts of a workspace, as the index `post_status` has them. */
const scheduledPosts = (workspace_id: string): IndexRange => ({
  columns: ['post.workspace_id', 'post.status', 'post.id'],
  low: [workspace_id, 'scheduled', FIRST_ID],
  high: [workspace_id, 'scheduled', LAST_ID],
  direction: 'asc',
})

/** Selects sign-in, scheduled posts and last failure of accounts, in one query. */
const selectFacts = (db: Db, workspace_id: string, ids: string[]) =>
  db
    .selectFrom('account')
    .leftJoin('oauth_grant as sign_in', 'sign_in.id', 'account.grant_id')
    .leftJoin(
      (from) =>
        from
          .selectFrom('post')
          // With the offset, the targets of each post are looked up. A generic plan reads those of all workspaces.
          .innerJoinLateral(
            (of) =>
              of
                .selectFrom('post_target')
                .select('account_id')
                .whereRef('post_id', '=', 'post.id')
                .where('status', '=', 'pending')
                .offset(sql.lit(0))
                .as('target'),
            (join) => join.onTrue(),
          )
          .select(['target.account_id', sql<number>`count(*)::int`.as('posts')])
          .select(({ fn }) => fn.min('post.scheduled_at').as('next_at'))
          .where(isInRange(scheduledPosts(workspace_id)))
          .where('post.deleted_at', 'is', null)
          .groupBy('target.account_id')
          .as('scheduled'),
      (join) => join.onRef('scheduled.account_id', '=', 'account.id'),
    )
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('post_target')
          .innerJoin('post', 'post.id', 'post_target.post_id')
          .select('post_target.post_id')
          // The messages of other errors are Meydan's own.
          .select(
            sql<string | null>`case error_code when 'rejected_by_network' then error_message end`.as('error_message'),
          )
          .whereRef('post_target.account_id', '=', 'account.id')
          .where('post_target.status', '=', 'failed')
          .where(sql<boolean>`post_target.error_code <> all(${COVERED_ERRORS}::text[])`)
          .where('post.deleted_at', 'is', null)
          .where(
            sql<boolean>`post_target.attempted_at > coalesce(
              (select max(published_at) from post_target as other where other.account_id = account.id), '-infinity')`,
          )
          .orderBy('post_target.attempted_at', 'desc')
          .limit(1)
          .as('failure'),
      (join) => join.onTrue(),
    )
    .select(['account.id', 'account.refresh_failed_at', 'sign_in.id as grant_id', 'sign_in.server', 'sign_in.tokens'])
    .select(['scheduled.posts', 'scheduled.next_at'])
    .select(['failure.post_id as failed_post_id', 'failure.error_message as failure_message'])
    .where(sql<boolean>`account.id = any(${ids}::uuid[])`)

type Facts = Awaited<ReturnType<ReturnType<typeof selectFacts>['executeTakeFirstOrThrow']>>

const reason = (code: Reason['code'], about: Partial<Reason> = {}): Reason => ({
  code,
  message: null,
  permissions: [],
  post_id: null,
  ...about,
})

/** The way in which the owner of an account signs in; undefined without one, and if this version lacks the network. */
const signInOfAccount = ({ network, connected_by }: Account, { server }: Facts) =>
  connected_by === 'sign_in' && findNetwork(network) ? authorizationServerAt({ network, server }) : undefined

type Secrets = ReturnType<typeof openTokens>

/** Permissions that were not granted, where the network names those that were. */
function missingPermissions(account: Account, facts: Facts, secrets: Secrets) {
  const scopes = signInOfAccount(account, facts)?.scopes
  if (!scopes || !secrets) return { publish: [], optional: [] }
  const granted = secrets.tokens.scopes
  const missing = (wanted: readonly string[] = []) =>
    granted === null ? [] : wanted.filter((scope) => !isGranted(granted, scope))
  return { publish: missing(scopes.publish), optional: missing(scopes.optional) }
}

/** The app that renews the tokens of an account. A new sign-in uses the first app of the network. */
function appOf(apps: UsableApp[], { network, status }: Account, secrets: Secrets) {
  const ofNetwork = apps.filter((app) => app.network === network)
  const issuing = status === 'connected' ? ofNetwork.find((app) => app.client_id === secrets?.client_id) : undefined
  return issuing ?? ofNetwork[0]
}

/** Reasons that concern the sign-in and the app of an account. */
function signInReasons({ deps, apps, now }: Context, account: Account, facts: Facts): Reason[] {
  const { grant_id, tokens } = facts
  const secrets = grant_id !== null && tokens !== null ? openTokens(deps, { id: grant_id, tokens }) : undefined
  const app = appOf(apps, account, secrets)
  const signsIn = signInOfAccount(account, facts) !== undefined
  // Apps at servers are not set up by anybody.
  const needsApp = signsIn && facts.server === null
  const isDisconnected = account.status === 'disconnected'
  const { sign_in_ends_at } = account
  const missing = missingPermissions(account, facts, secrets)
  return [
    ...(isDisconnected
      ? [reason(signsIn ? 'sign_in_ended' : 'credentials_refused', { message: account.status_detail })]
      : []),
    ...(needsApp && !app ? [reason('app_missing')] : []),
    ...(needsApp && app && app.refused_at !== null ? [reason('app_refused', { message: app.refused_reason })] : []),
    ...(missing.publish.length > 0 ? [reason('permission_missing', { permissions: missing.publish })] : []),
    ...(!isDisconnected && sign_in_ends_at !== null && sign_in_ends_at.getTime() - now.getTime() <= ENDS_SOON_MS
      ? [reason('sign_in_ends_soon')]
      : []),
    ...(!isDisconnected && facts.refresh_failed_at !== null ? [reason('renewal_failed')] : []),
    ...(missing.optional.length > 0 ? [reason('optional_permission_missing', { permissions: missing.optional })] : []),
  ]
}

function reasonsOf(context: Context, account: Account, facts: Facts): Reason[] {
  const { paused_by } = account
  const { failed_post_id: post_id, failure_message: message } = facts
  const found = [
    ...signInReasons(context, account, facts),
    ...(paused_by !== null ? [reason(paused_by === 'plan' ? 'paused_by_limit' : 'paused_by_member')] : []),
    ...(post_id !== null ? [reason('last_publish_failed', { post_id, message })] : []),
  ]
  return found.sort((one, other) => reasonCodes.indexOf(one.code) - reasonCodes.indexOf(other.code))
}

function healthOf(context: Context, account: Account, facts: Facts): Health {
  const { now } = context
  const { id, network, name, handle, avatar_url, sign_in_ends_at, checked_at, last_published_at, status } = account
  const reasons = reasonsOf(context, account, facts)
  const needsAttention = reasons.some(({ code }) => code !== 'optional_permission_missing')
  return {
    account_id: id,
    network,
    name,
    handle,
    avatar_url,
    connected_by: account.connected_by,
    instance: facts.server,
    state: status === 'disconnected' ? 'disconnected' : needsAttention ? 'needs_attention' : 'ok',
    reasons,
    sign_in_ends_at,
    sign_in_days_left: sign_in_ends_at && Math.max(0, Math.floor((sign_in_ends_at.getTime() - now.getTime()) / DAY)),
    scheduled_posts: facts.posts ?? 0,
    next_post_at: facts.next_at,
    checked_at,
    last_published_at,
  }
}

/** The health of the accounts of a workspace, newest first. */
export async function listHealth(deps: Deps, caller: Member, query: PageInput) {
  const { db, clock } = deps
  const { data, next_cursor } = await page(listAccounts(db, caller), 'account.id', query)
  const ids = data.map(({ id }) => id)
  const facts = new Map((await selectFacts(db, caller.workspace_id, ids).execute()).map((row) => [row.id, row]))
  const context = { deps, apps: await listUsableApps(deps, caller), now: clock.now() }
  return {
    // An account that was erased in between has no facts.
    data: data.flatMap((account) => {
      const known = facts.get(account.id)
      return known ? [healthOf(context, account, known)] : []
    }),
    next_cursor,
  }
}
