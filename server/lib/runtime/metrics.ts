import type pg from 'pg'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

import { cacheReads } from './caches/invalidated-cache.ts'

declare module '../deps.ts' {
  interface Deps {
    metrics: Metrics
  }
}

/** Numbers of this process for Prometheus. Each process counts for itself. */
type Metrics = ReturnType<typeof createMetrics>

const CALL_BUCKETS = [0.01, 0.05, 0.1, 0.25, 1, 5, 30]
const LATENESS_BUCKETS = [1, 5, 15, 60, 300, 3600]

export function createMetrics(pools: Record<string, pg.Pool>) {
  const registry = new Registry()
  const registers = [registry]
  new Gauge({
    name: 'meydan_database_connections',
    help: 'Connections to PostgreSQL, by pool and state.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { idleCount, totalCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'idle' }, idleCount)
        this.set({ pool, state: 'used' }, totalCount - idleCount)
      }
    },
  })
  new Gauge({
    name: 'meydan_database_waiting',
    help: 'Calls that wait for a connection to PostgreSQL, by pool.',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, { waitingCount }] of Object.entries(pools)) this.set({ pool }, waitingCount)
    },
  })
  new Counter({
    name: 'meydan_cache_reads_total',
    help: 'Reads of what every request needs, such as sessions and plans, by outcome.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset()
      this.inc({ outcome: 'hit' }, cacheReads.hits)
      this.inc({ outcome: 'miss' }, cacheReads.misses)
    },
  })
  return {
    registry,
    httpRequests: new Histogram({
      name: 'meydan_http_request_duration_seconds',
      help: 'Time from a request to the end of its response.',
      labelNames: ['method', 'route', 'status'],
      buckets: CALL_BUCKETS,
      registers,
    }),
    problems: new Counter({
      name: 'meydan_problems_total',
      help: 'Error responses, by code.',
      labelNames: ['code'],
      registers,
    }),
    publishAttempts: new Counter({
      name: 'meydan_publish_attempts_total',
      help: 'Attempts to publish a post on one account, by network and outcome.',
      labelNames: ['network', 'outcome'],
      registers,
    }),
    publishCalls: new Histogram({
      name: 'meydan_publish_duration_seconds',
      help: 'Time that an attempt to publish takes at its network, by network and outcome.',
      labelNames: ['network', 'outcome'],
      buckets: CALL_BUCKETS,
      registers,
    }),
    providerCalls: new Histogram({
      name: 'meydan_provider_call_duration_seconds',
      help: 'Time that a call of a payment provider takes, by provider and outcome.',
      labelNames: ['provider', 'outcome'],
      buckets: CALL_BUCKETS,
      registers,
    }),
    publishLateness: new Histogram({
      name: 'meydan_publish_lateness_seconds',
      help: 'Time from the scheduled time of a post to its publication on an account, retries included.',
      labelNames: ['network'],
      buckets: LATENESS_BUCKETS,
      registers,
    }),
    webhookAttempts: new Counter({
      name: 'meydan_webhook_attempts_total',
      help: 'Attempts to deliver an event to a webhook, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    webhookDeliveries: new Histogram({
      name: 'meydan_webhook_delivery_seconds',
      help: 'Time from an event to its successful delivery, retries included.',
      buckets: LATENESS_BUCKETS,
      registers,
    }),
  }
}

let ofProcess: Registry | undefined

/**
 * Memory, garbage collection and event loop delay of the process. They are measured from the first call on, so that
 * they cost nothing where nobody reads them.
 */
export function processMetrics() {
  if (!ofProcess) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess
}

/** The time of a UUIDv7, in milliseconds (RFC 9562, 5.7). */
export const timeOfUuid = (uuid: string) => Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)
