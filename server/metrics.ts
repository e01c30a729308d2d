import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Registry } from 'prom-client'
import { checks } from './checks.ts'
import { problem } from './errors.ts'
import { equalInConstantTime } from './lib/crypto/crypto.ts'
import type { Deps } from './lib/deps.ts'
import { anyone } from './lib/http/access.ts'
import { createCheckMetrics } from './lib/runtime/checks/check-metrics.ts'
import { createInstallationMetrics, databaseUse } from './lib/runtime/installation-metrics.ts'
import { jobBacklog, jobQueueLocks, workerNodes } from './lib/runtime/job-backlog.ts'
import { processMetrics } from './lib/runtime/metrics.ts'
import { recentGenerations } from './modules/ai/generations.ts'
import { backupReading } from './modules/installation/backups/backups.ts'
import { contextOf } from './modules/installation/status/status.ts'
import { mailBacklog } from './modules/mail/outbox/outbox.ts'
import { overduePosts } from './modules/posts/publishing/due-posts.ts'
import { deliveryBacklog } from './modules/webhooks/delivery/delivery-backlog.ts'

const readings = [
  jobBacklog,
  jobQueueLocks,
  workerNodes,
  overduePosts,
  mailBacklog,
  deliveryBacklog,
  recentGenerations,
  databaseUse,
  backupReading,
]

/** Counts the requests and error responses of `app`, and serves all metrics at `/metrics` for Prometheus. */
export function metricsRoutes(app: FastifyInstance, deps: Deps) {
  const { metrics, config } = deps
  app.addHook('onResponse', (request, reply, done) => {
    const { url: route = 'none' } = request.routeOptions
    metrics.httpRequests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    if (request.problemCode) metrics.problems.inc({ code: request.problemCode })
    done()
  })

  const installation = createInstallationMetrics(deps, readings)
  const checked = createCheckMetrics(contextOf(deps), checks)
  app.get('/metrics', { config: { access: anyone() }, schema: { hide: true } }, async (request, reply) => {
    if (!mayRead(request, config.METRICS_TOKEN)) throw problem('unauthenticated')
    const merged = Registry.merge([processMetrics(), metrics.registry, await installation(), await checked()])
    return reply.type(merged.contentType).send(await merged.metrics())
  })
}

/** Without a token, only programs of this machine may read. A forwarded request comes from a proxy of this machine. */
function mayRead({ headers, socket }: FastifyRequest, token: string | undefined) {
  if (token !== undefined) return equalInConstantTime(headers.authorization ?? '', `Bearer ${token}`)
  const isForwarded = 'x-forwarded-for' in headers || 'forwarded' in headers || 'via' in headers
  return !isForwarded && /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? '')
}
