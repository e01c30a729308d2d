import type { Db } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { acquireProbes } from './circuit-breaker.ts'
import type { Limiter } from './concurrency.ts'
import type { DueEndpoints } from './due-endpoints.ts'
import { beginLease, type Claimed, type ClaimQuota, claim, releaseClaims } from './queue.ts'
import type { ResultWriters } from './results/result-writers.ts'
import type { EndpointCache } from './sending/endpoint-cache.ts'
import type { Flight, InFlight } from './sending/in-flight.ts'

const CLAIM_BATCH = 200

type Parts = Pick<Deps, 'clock' | 'timings'> & {
  db: Db
  dueEndpoints: DueEndpoints
  limiter: Limiter
  inFlight: InFlight
  endpoints: EndpointCache
  writers: ResultWriters
  deliver: (flight: Flight) => Promise<void>
  isStopped: () => boolean
}

const webhookOf = ({ queue }: ClaimQuota) => queue.webhook_id

/** Claims one batch and begins to send it. Returns whether more may be due that could be claimed at once. */
export async function claimAndSend(parts: Parts): Promise<boolean> {
  const { db, clock, dueEndpoints, limiter, inFlight, endpoints, writers } = parts
  await dueEndpoints.refresh()
  const limit = Math.min(CLAIM_BATCH, inFlight.freeSlots())
  if (limit <= 0 || parts.isStopped()) return false
  const quotas = await withProbes(parts, planQuotas(parts, limit))
  if (quotas.length === 0) return false

  const asOf = dueEndpoints.reportCount()
  const claimed = await claim(db, quotas, limit, beginLease(parts))
  inFlight.add(claimed)
  const flights = flightsOf(claimed, quotas)
  for (const { delivery, team_id } of flights) limiter.acquire(delivery.webhook_id, team_id)
  const counts = countByWebhook(claimed)
  // When the limit has cut the batch, more may be left in every queue.
  if (claimed.length < limit)
    for (const { queue, max } of quotas)
      if ((counts.get(queue.webhook_id) ?? 0) < max) dueEndpoints.markDrained(queue, asOf)
  const unusedProbes = quotas.filter(({ queue, isProbe }) => isProbe && !counts.has(queue.webhook_id))
  try {
    await endpoints.prepare(claimed)
    if (unusedProbes.length > 0) await releaseClaims(db, [], unusedProbes.map(webhookOf), clock.now())
  } catch (err) {
    // The deliveries stay claimed, and are sent when the lease ends.
    for (const flight of flights) writers.finish(flight)
    throw err
  }
  for (const flight of flights) parts.isStopped() ? writers.release(flight) : void parts.deliver(flight)
  return quotas.reduce((sum, { max }) => sum + max, 0) >= limit
}

/** Distributes up to `limit` claims over the queues, as far as their endpoints and workspaces have free slots. */
function planQuotas({ dueEndpoints, limiter, inFlight }: Parts, limit: number) {
  const planned = new Map<string, number>()
  const quotas: ClaimQuota[] = []
  let total = 0
  for (const queue of dueEndpoints.list()) {
    if (total >= limit) break
    const ofWorkspace = planned.get(queue.team_id) ?? 0
    const max = limiter.freeSlots(queue, inFlight.count() + total, ofWorkspace)
    if (max === 0) continue
    planned.set(queue.team_id, ofWorkspace + max)
    total += max
    quotas.push({ queue, max, isProbe: false })
  }
  return quotas
}

/** Turns the quotas of queues whose circuit is open into probes, and drops those that another node probes. */
async function withProbes(parts: Parts, quotas: ClaimQuota[]) {
  const { db, dueEndpoints } = parts
  const rested = quotas.filter(({ queue }) => queue.rested)
  if (rested.length === 0) return quotas
  const asOf = dueEndpoints.reportCount()
  for (const { queue } of rested) dueEndpoints.markDrained(queue, asOf)
  const probes = await acquireProbes(db, rested.map(webhookOf), beginLease(parts))
  return quotas
    .filter(({ queue }) => !queue.rested || probes.includes(queue.webhook_id))
    .map((quota) => ({ ...quota, isProbe: quota.queue.rested }))
}

function flightsOf(claimed: Claimed[], quotas: ClaimQuota[]) {
  const quotaOf = new Map(quotas.map((quota) => [quota.queue.webhook_id, quota]))
  return claimed.flatMap((delivery): Flight[] => {
    const quota = quotaOf.get(delivery.webhook_id)
    return quota ? [{ delivery, team_id: quota.queue.team_id, isProbe: quota.isProbe }] : []
  })
}

function countByWebhook(claimed: Claimed[]) {
  const counts = new Map<string, number>()
  for (const { webhook_id } of claimed) counts.set(webhook_id, (counts.get(webhook_id) ?? 0) + 1)
  return counts
}
