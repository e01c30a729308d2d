import type { IncomingMessage } from 'node:http'
import swagger from '@fastify/swagger'
import Fastify, { type FastifyBaseLogger, LogController, type RouteOptions } from 'fastify'
import { type OpenPage, serveConsole, serveConsoleSources } from './console.ts'
import type { Deps } from './deps.ts'
import { problem } from './errors.ts'
import { healthRoutes } from './health.ts'
import { acceptJson } from './lib/body.ts'
import { countHeader, guardBrowsers } from './lib/headers.ts'
import { answerExpectation, answerProblems, answerUnparsable, sendProblem, toProblem } from './lib/problems.ts'
import { newRequestId } from './lib/request-id.ts'
import { compileValidator, findIllFormed } from './lib/validation.ts'
import { accountRoutes } from './modules/accounts/accounts.routes.ts'
import { generationRoutes } from './modules/ai/generate.routes.ts'
import { aiModelRoutes } from './modules/ai/models.routes.ts'
import { auditRoutes } from './modules/audit/audit.routes.ts'
import { authRoutes } from './modules/auth/auth.routes.ts'
import { meRoutes } from './modules/auth/me.routes.ts'
import { userRoutes } from './modules/auth/users.routes.ts'
import { mailFrame } from './modules/mail/frame.routes.ts'
import { mailRoutes } from './modules/mail/mail.routes.ts'
import { templateRoutes } from './modules/mail/templates.routes.ts'
import { testMailRoutes } from './modules/mail/test-mail.routes.ts'
import { optionRoutes } from './modules/options/options.routes.ts'
import { planRoutes } from './modules/plans/plans.routes.ts'
import { postRoutes } from './modules/posts/posts.routes.ts'
import { tokenRoutes } from './modules/tokens/tokens.routes.ts'
import { webhookRoutes } from './modules/webhooks/webhooks.routes.ts'
import { memberRoutes } from './modules/workspaces/members.routes.ts'
import { workspaceRoutes } from './modules/workspaces/workspaces.routes.ts'
import { documentation, openapi } from './openapi.ts'

/** The longest address that is looked at, in characters. */
const URL_LIMIT = 8000

function hostFault(request: IncomingMessage) {
  if (request.headers.host === undefined)
    return request.httpVersion === '1.1' ? 'The header Host is missing' : undefined
  return countHeader(request, 'host') > 1 ? 'There is more than one header Host' : undefined
}

/** The HTTP side of Meydan. Listening is the caller's part. `dev`: the console follows its sources. */
export async function buildApp(deps: Deps, { dev = false } = {}) {
  const app = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    // One hop: what the proxy in front wrote. What stands further left in X-Forwarded-For is the client's own word.
    trustProxy: deps.config.TRUST_PROXY && ((_: string, hop: number) => hop === 0),
    requestTimeout: 60_000,
    // A client that neither sends nor reads is hung up on.
    connectionTimeout: 60_000,
    forceCloseConnections: 'idle',
    // Node would answer a request without Host by itself, and not as a problem document.
    http: { requireHostHeader: false },
    clientErrorHandler: answerUnparsable,
    frameworkErrors: (error, request, reply) => sendProblem(request, reply, toProblem(error, request)),
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
  })
  app.server.on('checkExpectation', answerExpectation)
  app.decorateRequest('caller', null)
  app.setValidatorCompiler(({ schema, httpPart }) => compileValidator(schema as object, httpPart))
  acceptJson(app)
  // The console comes last: what stands around every route has to be there before its files are.
  let openPage: OpenPage = () => undefined
  answerProblems(app, (request, reply) => openPage(request, reply))

  // These run on every request: with a callback a hook costs less than with a promise.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    const wrong = hostFault(request.raw)
    if (wrong) return done(problem('malformed_request', { detail: `${wrong} (RFC 9112, section 3.2).` }))
    done(request.url.length > URL_LIMIT ? problem('uri_too_long') : undefined)
  })
  app.addHook('preValidation', (request, _reply, done) => {
    const error = findIllFormed(request.body) ?? findIllFormed(request.query) ?? findIllFormed(request.params)
    done(error && problem('validation_failed', { errors: [error] }))
  })
  app.addHook('onResponse', (request, reply, done) => {
    request.log.debug(
      { method: request.method, path: request.url.split('?', 1)[0], status: reply.statusCode },
      'answered',
    )
    done()
  })
  // A connection that is in use when Meydan stops would otherwise be kept alive, and hold up the stop.
  let closing = false
  app.addHook('preClose', (done) => {
    closing = true
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close')
    done(null, payload)
  })

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
  authRoutes(app, deps)
  meRoutes(app, deps)
  userRoutes(app, deps)
  workspaceRoutes(app, deps)
  memberRoutes(app, deps)
  tokenRoutes(app, deps)
  auditRoutes(app, deps)
  webhookRoutes(app, deps)
  optionRoutes(app, deps)
  testMailRoutes(app, deps)
  mailRoutes(app, deps)
  templateRoutes(app, deps)
  mailFrame(app)
  aiModelRoutes(app, deps)
  planRoutes(app, deps)
  generationRoutes(app, deps)
  accountRoutes(app, deps)
  postRoutes(app, deps)
  await documentation(app)
  openPage = await (dev ? serveConsoleSources : serveConsole)(app)
  return app
}
