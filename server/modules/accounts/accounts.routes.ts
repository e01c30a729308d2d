import type { FastifyInstance } from 'fastify'
import { Page, PageQuery, page } from '../../lib/db/page.ts'
import type { Deps } from '../../lib/deps.ts'
import { author, editor, user, viewer } from '../../lib/http/access.ts'
import { callLimit } from '../../lib/http/limits/call-limit.ts'
import { FileResponse } from '../../lib/http/response/send-file.ts'
import { routes } from '../../lib/http/route.ts'
import { Closed, idParams, NoContent } from '../../lib/http/schema/schema.ts'
import { Account, ChangeAccount, Mentionables, MentionsQuery, NewAccount } from './accounts.schema.ts'
import { changeAccount, disconnectAccount, listAccounts, readAccount } from './accounts.ts'
import { serveAvatar } from './avatars.ts'
import { connectAccount } from './connect.ts'
import { checkAccount } from './health/check.ts'
import { readAccountCheck, startAccountCheck } from './health/check-all.ts'
import { AccountCheck, AccountHealth } from './health/health.schema.ts'
import { listHealth } from './health/health.ts'
import { createMentionSearch } from './mentions.ts'
import { MetricsOfAccount, MetricsQuery } from './metrics/metrics.schema.ts'
import { readMetricsOfAccount } from './metrics/metrics.ts'

/** Calls on one account: each pause in writing is one. Look-ups are few, because networks bill or limit them. */
const MENTION_CALLS_A_MINUTE = { beginning: 60, handle: 10 }

export function accountRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Accounts')
  const findMentions = createMentionSearch(deps)
  const limits = {
    beginning: callLimit('mention-search', MENTION_CALLS_A_MINUTE.beginning, deps.clock),
    handle: callLimit('mention-look-up', MENTION_CALLS_A_MINUTE.handle, deps.clock),
  }

  route.get('/accounts', {
    operationId: 'listAccounts',
    summary: 'List accounts',
    description: 'Returns the connected accounts of the workspace, newest first.',
    access: viewer({ scope: 'accounts:read' }),
    query: Closed(PageQuery),
    response: { 200: Page(Account) },
    handler: ({ db, caller, query }) => page(listAccounts(db, caller), 'account.id', query),
  })
  route.post('/accounts', {
    operationId: 'connectAccount',
    summary: 'Connect an account',
    description: 'Checks the credentials with the network and connects the account.',
    access: editor({ scope: 'accounts:write' }),
    body: NewAccount,
    response: { 201: Account },
    ownTransactions: true,
    handler: ({ deps, caller, body, complete }) => connectAccount(deps, caller, body, complete),
  })
  route.get('/accounts/health', {
    operationId: 'listAccountHealth',
    summary: 'List the health of accounts',
    description:
      'Returns for each account of the workspace whether posts can be published there, the reasons if not, and what is scheduled. No network is called; `POST /accounts/check` does that.',
    access: viewer({ scope: 'accounts:read' }),
    query: Closed(PageQuery),
    response: { 200: Page(AccountHealth) },
    handler: ({ deps, caller, query }) => listHealth(deps, caller, query),
  })
  route.get('/accounts/check', {
    operationId: 'readAccountCheck',
    summary: 'Retrieve the check of all accounts',
    description: 'Returns the progress of the last check of all accounts.',
    access: viewer({ scope: 'accounts:read' }),
    response: { 200: AccountCheck },
    handler: ({ db, caller }) => readAccountCheck(db, caller),
  })
  route.get('/accounts/:id/metrics', {
    operationId: 'readAccountMetrics',
    summary: 'Retrieve the metrics of an account',
    description:
      'Returns followers and other numbers of an account by day, and the sums of the posts that Meydan published there. Meydan reads them from the networks once a day or less; this call reads none. `GET /accounts/networks` lists the numbers that each network reports.',
    access: viewer({ scope: 'accounts:read' }),
    params: idParams('account'),
    query: MetricsQuery,
    response: { 200: MetricsOfAccount },
    handler: ({ db, deps, caller, params, query }) =>
      readMetricsOfAccount({ db, clock: deps.clock }, caller, params.id, query.days ?? 30),
  })
  route.post('/accounts/check', {
    operationId: 'startAccountCheck',
    summary: 'Check all accounts',
    description:
      'Starts to check all accounts of the workspace as `POST /accounts/{id}/check` does, a few at a time. `GET /accounts/check` returns the progress. While a check runs, this returns it and starts no other.',
    access: editor({ scope: 'accounts:write' }),
    response: { 202: AccountCheck },
    handler: ({ deps, caller }) => startAccountCheck(deps, caller),
  })
  route.get('/accounts/:id', {
    operationId: 'readAccount',
    summary: 'Retrieve an account',
    access: viewer({ scope: 'accounts:read' }),
    params: idParams('account'),
    response: { 200: Account },
    handler: ({ db, caller, params }) => readAccount(db, caller, params.id),
  })
  route.get('/accounts/:id/mentions', {
    operationId: 'findMentions',
    summary: 'Find whom a post can mention',
    description:
      'Asks the network of an account for people and pages to mention; `mention_search` of `GET /accounts/networks` says how it finds them. The response is kept for five minutes. An account takes 60 of these calls a minute, or 10 where a whole handle is looked up.',
    access: author({ scope: 'posts:write' }),
    params: idParams('account'),
    query: MentionsQuery,
    response: { 200: Mentionables },
    weight: 'outside',
    handler: async ({ caller, params, query, reply }) => ({
      data: await findMentions(caller, params.id, query.query, (by) => limits[by](params.id, reply)),
    }),
  })
  route.get('/accounts/:id/avatar', {
    operationId: 'downloadAccountAvatar',
    summary: "Download an account's image",
    description:
      'A WebP image of at most 400 by 400 pixels. Returns that of an account of any workspace that you belong to, so `X-Workspace-Id` is not needed.',
    access: user({ scope: 'accounts:read' }),
    params: idParams('account'),
    response: { 200: FileResponse },
    instead: { 'image/*': 'The picture.' },
    handler: ({ deps, caller, params }) => serveAvatar(deps.db, caller, params.id),
  })
  route.patch('/accounts/:id', {
    operationId: 'changeAccount',
    summary: 'Change an account',
    description:
      'Renames the account in Meydan, and pauses or resumes it. A paused account publishes nothing, and still counts as connected. To choose which accounts publish within a smaller plan, pause one and resume another.',
    access: editor({ scope: 'accounts:write' }),
    params: idParams('account'),
    body: ChangeAccount,
    response: { 200: Account },
    handler: ({ deps, caller, params, body, ifMatch }) => changeAccount(deps, caller, params.id, body, ifMatch),
  })
  route.post('/accounts/:id/check', {
    operationId: 'checkAccount',
    summary: "Check an account's credentials",
    description:
      'Asks the network whether it still accepts the credentials and updates `status` and `checked_at`. Posts that failed while the account was disconnected are not retried automatically. If the network cannot be reached, the account does not change and the response is `account_unreachable`.',
    access: editor({ scope: 'accounts:write' }),
    params: idParams('account'),
    response: { 200: Account },
    ownTransactions: true,
    handler: ({ deps, caller, params }) => checkAccount(deps, caller, params.id),
  })
  route.delete('/accounts/:id', {
    operationId: 'disconnectAccount',
    summary: 'Disconnect an account',
    description: 'Disconnects the account and erases its credentials.',
    access: editor({ scope: 'accounts:write' }),
    params: idParams('account'),
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => disconnectAccount(deps, caller, params.id),
  })
}
