import type { IncomingMessage } from 'node:http'
import swagger from '@fastify/swagger'
import Fastify, { type FastifyBaseLogger, LogController, type RouteOptions } from 'fastify'
import { checks } from './checks.ts'
import { type OpenPage, serveConsole, serveConsoleSources } from './console/console.ts'
import { docsPages } from './docs/docs-pages.ts'
import { openapi } from './docs/openapi.ts'
import { reference } from './docs/reference.ts'
import { problem } from './errors.ts'
import { healthRoutes } from './health.ts'
import { ledgerRules } from './ledger-rules.ts'
import type { Deps } from './lib/deps.ts'
import { acceptJson } from './lib/http/body.ts'
import { countHeader, guardBrowsers, newRequestId } from './lib/http/headers.ts'
import { limitBodyTime } from './lib/http/limits/body-timeout.ts'
import { connectionLimits, limitConnections, runPipelinedInTurn } from './lib/http/limits/connection-limit.ts'
import {
  respondToExpectation,
  respondToUnparsable,
  respondWithProblems,
  sendProblem,
  toProblem,
  workspaceOf,
} from './lib/http/problems.ts'
import { compressResponses } from './lib/http/response/compression.ts'
import { serveFonts } from './lib/http/response/fonts.ts'
import { compileSerializer, compileValidator, findIllFormed } from './lib/http/schema/validation.ts'
import { meters } from './meters.ts'
import { metricsRoutes } from './metrics.ts'
import { accountRoutes } from './modules/accounts/accounts.routes.ts'
import { connectionRoutes } from './modules/accounts/connections/connections.routes.ts'
import { accountGroupRoutes } from './modules/accounts/groups/groups.routes.ts'
import { networkNoticeRoutes } from './modules/accounts/notices/notices.routes.ts'
import { agentRoutes } from './modules/agents/agents.routes.ts'
import { agentRuleRoutes } from './modules/agents/rules/rules.routes.ts'
import { agentRunRoutes } from './modules/agents/runs/runs.routes.ts'
import { agentSourceRoutes } from './modules/agents/sources/sources.routes.ts'
import { brandSuggestionRoutes } from './modules/ai/brand/brand-suggestion.routes.ts'
import { generationRoutes } from './modules/ai/generate.routes.ts'
import { aiModelRoutes } from './modules/ai/models.routes.ts'
import { auditRoutes } from './modules/audit/audit.routes.ts'
import { meRoutes } from './modules/auth/account/me.routes.ts'
import { authRoutes } from './modules/auth/auth.routes.ts'
import { userRoutes } from './modules/auth/users/users.routes.ts'
import { billingAdminRoutes } from './modules/billing/admin/admin.routes.ts'
import { testBillingRoutes } from './modules/billing/admin/test-billing.routes.ts'
import { billingRoutes } from './modules/billing/billing.routes.ts'
import { offersTrials } from './modules/billing/checkouts/trials.ts'
import { invoiceRoutes } from './modules/billing/invoices/invoices.routes.ts'
import { providerPageRoutes } from './modules/billing/providers/pages.routes.ts'
import { frameOrigins } from './modules/billing/providers/registry.ts'
import { settlementRoutes } from './modules/billing/settlements/settlements.routes.ts'
import { inboundEventRoutes } from './modules/billing/webhooks/inbound-events.routes.ts'
import { recipeModerationRoutes } from './modules/catalog/moderation/moderation.routes.ts'
import { catalogRoutes } from './modules/catalog/recipes.routes.ts'
import { changeCheckRoutes } from './modules/change-check/change-check.routes.ts'
import { backupRoutes } from './modules/installation/backups/backups.routes.ts'
import { holdRoutes } from './modules/installation/hold.routes.ts'
import { statusRoutes } from './modules/installation/status/status.routes.ts'
import { versionRoutes } from './modules/installation/version.routes.ts'
import { ledgerRoutes } from './modules/ledger/ledger.routes.ts'
import { outboxRoutes } from './modules/mail/outbox/outbox.routes.ts'
import { mailPreviewFrame } from './modules/mail/templates/preview-frame.routes.ts'
import { templateRoutes } from './modules/mail/templates/templates.routes.ts'
import { testMailRoutes } from './modules/mail/test-mail.routes.ts'
import { gigRoutes } from './modules/marketplace/gigs/gigs.routes.ts'
import { moderationRoutes } from './modules/marketplace/moderation/moderation.routes.ts'
import {
  deliveryRoutes,
  orderActionRoutes,
  proposalRoutes,
} from './modules/marketplace/orders/actions/actions.routes.ts'
import { disputeRoutes } from './modules/marketplace/orders/actions/disputes.routes.ts'
import { reviewRoutes } from './modules/marketplace/orders/actions/reviews.routes.ts'
import { messageRoutes } from './modules/marketplace/orders/conversation/messages.routes.ts'
import { orderRefundRoutes } from './modules/marketplace/orders/money/refunds.routes.ts'
import { orderRoutes } from './modules/marketplace/orders/orders.routes.ts'
import { marketplacePages } from './modules/marketplace/pages/pages.routes.ts'
import { adminPayoutRoutes } from './modules/marketplace/payouts/admin-payouts.routes.ts'
import { payoutRoutes } from './modules/marketplace/payouts/payouts.routes.ts'
import { sellerRoutes } from './modules/marketplace/sellers/sellers.routes.ts'
import { mediaRoutes } from './modules/media/media.routes.ts'
import { networkAppRoutes } from './modules/networks/apps/apps.routes.ts'
import { networkRoutes } from './modules/networks/networks.routes.ts'
import { unsubscribeRoutes } from './modules/notifications/mails/unsubscribe.routes.ts'
import { notificationRoutes } from './modules/notifications/notifications.routes.ts'
import { pushRoutes } from './modules/notifications/push/push.routes.ts'
import { optionRoutes } from './modules/options/options.routes.ts'
import { planRoutes } from './modules/plans/plans.routes.ts'
import { calendarFeedRoutes } from './modules/posts/calendar-feeds/calendar-feeds.routes.ts'
import { calendarNoteRoutes } from './modules/posts/calendar-notes/calendar-notes.routes.ts'
import { clientLinkRoutes } from './modules/posts/client-links/client-links.routes.ts'
import { clientReviewRoutes } from './modules/posts/client-links/client-review.routes.ts'
import { clientUnsubscribeRoutes } from './modules/posts/client-links/client-unsubscribe.routes.ts'
import { commentRoutes } from './modules/posts/comments/comments.routes.ts'
import { importRoutes } from './modules/posts/import/imports.routes.ts'
import { postMetricsRoutes } from './modules/posts/metrics/metrics.routes.ts'
import { postRoutes } from './modules/posts/posts.routes.ts'
import { queueRoutes } from './modules/posts/queue/queue.routes.ts'
import { recurrenceRoutes } from './modules/posts/recurrence/recurrence.routes.ts'
import { postReviewRoutes } from './modules/posts/review/review.routes.ts'
import { snippetRoutes } from './modules/posts/snippets/snippets.routes.ts'
import { postVersionRoutes } from './modules/posts/versions/versions.routes.ts'
import { tokenRoutes } from './modules/tokens/tokens.routes.ts'
import { usageRoutes } from './modules/usage/usage.routes.ts'
import { webhookRoutes } from './modules/webhooks/webhooks.routes.ts'
import { brandRoutes } from './modules/workspaces/brand/brand.routes.ts'
import { invitationRoutes } from './modules/workspaces/invitations/invitations.routes.ts'
import { memberRoutes } from './modules/workspaces/members/members.routes.ts'
import { workspaceRoutes } from './modules/workspaces/workspaces.routes.ts'

/** Maximum length of a URL, in characters. */
const URL_LIMIT = 8000

function hostFault(request: IncomingMessage) {
  if (request.headers.host === undefined)
    return request.httpVersion === '1.1' ? 'The Host header is missing (RFC 9112, section 3.2).' : undefined
  return countHeader(request, 'host') > 1 ? 'There is more than one Host header (RFC 9112, section 3.2).' : undefined
}

/** A proxy that reads HTTP/1.0 may see the end of such a message elsewhere. */
const framingFault = ({ httpVersion, headers }: IncomingMessage) =>
  httpVersion === '1.0' && headers['transfer-encoding'] !== undefined
    ? 'HTTP/1.0 has no Transfer-Encoding (RFC 9112, section 6.1).'
    : undefined

/** Builds the HTTP side of Meydan, without listening. `dev`: serves the console from its sources. */
export async function buildApp(deps: Deps, { dev = false } = {}) {
  const app = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: newRequestId,
    // Trusts one hop: the proxy in front. Entries further left in X-Forwarded-For come from the client.
    trustProxy: deps.config.TRUST_PROXY && ((_: string, hop: number) => hop === 0),
    // Disconnects clients that neither send nor read.
    connectionTimeout: 60_000,
    forceCloseConnections: 'idle',
    // A request that arrives on an open connection while Meydan stops is handled like those that are running.
    return503OnClosing: false,
    // Otherwise Node would respond to a request without Host itself, and not with a problem document.
    http: { requireHostHeader: false, headersTimeout: 60_000 },
    clientErrorHandler: respondToUnparsable,
    frameworkErrors: (error, request, reply) => sendProblem(request, reply, toProblem(error, request)),
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
  })
  app.server.on('checkExpectation', respondToExpectation)
  const { closeIdle } = limitConnections(app.server, connectionLimits(deps.config), deps.log)
  app.decorateRequest('caller', null)
  app.decorateRequest('work', null)
  app.setValidatorCompiler(({ schema, httpPart }) => compileValidator(schema as object, httpPart))
  app.setSerializerCompiler(({ schema }) => compileSerializer(schema))
  acceptJson(app)
  // The console is added last: its files need the hooks and handlers of all routes.
  let openPage: OpenPage = () => undefined
  respondWithProblems(app, deps.outageLog, (request, reply) => openPage(request, reply))

  // These run on every request: a hook with a callback costs less than one with a promise.
  runPipelinedInTurn(app)
  limitBodyTime(app)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    const wrong = hostFault(request.raw) ?? framingFault(request.raw)
    if (wrong) {
      reply.header('connection', 'close')
      return done(problem('malformed_request', { detail: wrong }))
    }
    done(request.url.length > URL_LIMIT ? problem('uri_too_long') : undefined)
  })
  app.addHook('preValidation', (request, _reply, done) => {
    const error = findIllFormed(request.body) ?? findIllFormed(request.query) ?? findIllFormed(request.params)
    done(error && problem('validation_failed', { errors: [error] }))
  })
  app.addHook('onResponse', (request, reply, done) => {
    request.log.debug(
      {
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        ...workspaceOf(request),
      },
      'responded',
    )
    done()
  })
  // A connection in use when Meydan stops would otherwise be kept alive, and delay the stop.
  let closing = false
  app.addHook('preClose', (done) => {
    closing = true
    closeIdle()
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    // A client that is still sending could not read the response. Its connection is closed when its body has arrived.
    if (closing && request.raw.complete) reply.header('connection', 'close')
    done(null, payload)
  })
  compressResponses(app)

  const declared: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    declared.push(route)
  })
  app.addHook('onReady', async () => {
    for (const { config, method, url } of declared)
      if (!config?.access) throw new Error(`${method} ${url} has no declared access`)
  })

  guardBrowsers(app, { https: deps.baseUrl.startsWith('https:') })
  await app.register(swagger, openapi())
  healthRoutes(app, deps)
  metricsRoutes(app, deps)
  authRoutes(app, deps)
  meRoutes(app, deps)
  notificationRoutes(app, deps)
  pushRoutes(app, deps)
  changeCheckRoutes(app, deps)
  await app.register(async (scope) => unsubscribeRoutes(scope, deps))
  userRoutes(app, deps)
  workspaceRoutes(app, deps)
  memberRoutes(app, deps)
  brandRoutes(app, deps)
  invitationRoutes(app, deps)
  tokenRoutes(app, deps)
  auditRoutes(app, deps)
  webhookRoutes(app, deps)
  optionRoutes(app, deps)
  holdRoutes(app, deps)
  versionRoutes(app, deps)
  backupRoutes(app, deps)
  statusRoutes(app, deps, checks)
  testMailRoutes(app, deps)
  outboxRoutes(app, deps)
  templateRoutes(app, deps)
  mailPreviewFrame(app)
  aiModelRoutes(app, deps)
  planRoutes(app, deps, offersTrials)
  invoiceRoutes(app, deps)
  usageRoutes(app, deps, meters)
  billingRoutes(app, deps)
  billingAdminRoutes(app, deps)
  testBillingRoutes(app, deps)
  ledgerRoutes(app, deps, ledgerRules)
  await app.register(async (scope) => settlementRoutes(scope, deps))
  await app.register(async (scope) => inboundEventRoutes(scope, deps))
  await providerPageRoutes(app, deps)
  generationRoutes(app, deps)
  brandSuggestionRoutes(app, deps)
  agentRoutes(app, deps)
  catalogRoutes(app, deps)
  recipeModerationRoutes(app, deps)
  await app.register(async (scope) => mediaRoutes(scope, deps))
  accountRoutes(app, deps)
  connectionRoutes(app, deps)
  await app.register(async (scope) => networkNoticeRoutes(scope, deps))
  accountGroupRoutes(app, deps)
  networkRoutes(app, deps)
  networkAppRoutes(app, deps)
  postRoutes(app, deps)
  postReviewRoutes(app, deps)
  queueRoutes(app, deps)
  recurrenceRoutes(app, deps)
  snippetRoutes(app, deps)
  calendarFeedRoutes(app, deps)
  calendarNoteRoutes(app, deps)
  commentRoutes(app, deps)
  postVersionRoutes(app, deps)
  clientLinkRoutes(app, deps)
  clientReviewRoutes(app, deps)
  await app.register(async (scope) => clientUnsubscribeRoutes(scope, deps))
  await app.register(async (scope) => importRoutes(scope, deps))
  postMetricsRoutes(app, deps)
  agentRunRoutes(app, deps)
  agentSourceRoutes(app, deps)
  agentRuleRoutes(app, deps)
  orderActionRoutes(app, deps)
  deliveryRoutes(app, deps)
  proposalRoutes(app, deps)
  disputeRoutes(app, deps)
  messageRoutes(app, deps)
  reviewRoutes(app, deps)
  payoutRoutes(app, deps)
  adminPayoutRoutes(app, deps)
  gigRoutes(app, deps)
  orderRoutes(app, deps)
  sellerRoutes(app, deps)
  moderationRoutes(app, deps)
  marketplacePages(app, deps)
  orderRefundRoutes(app, deps)
  serveFonts(app)
  docsPages(app, deps)
  reference(app, deps)
  openPage = await (dev ? serveConsoleSources(app) : serveConsole(app, frameOrigins(deps)))
  return app
}
