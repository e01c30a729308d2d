import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type TestApp, testApp } from '../test/app.ts'
import { expectStatus, playgroundAccount, withWorkspace } from '../test/factories.ts'
import { expectProblem } from '../test/problem.ts'
import { webhookReceiver } from '../test/receiver.ts'

const t = await testApp({ LOG_LEVEL: 'silent' })

/** The values of all series by name and labels. */
const scrape = async (of: TestApp = t) => {
  const { body } = expectStatus(await of.anyone.get('/metrics'), 200)
  const lines: string[] = body.split('\n').filter((line: string) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}

test('/metrics counts requests, error codes, published posts and deliveries', async () => {
  const owner = await withWorkspace(t)
  const receiver = await webhookReceiver()
  onTestFinished(receiver.close)
  expectStatus(await owner.post('/api/v1/webhooks', { url: receiver.url, events: ['post.published'] }), 201)
  const account_ids = [await playgroundAccount(owner)]
  const scheduled_at = new Date(t.deps.clock.now().getTime() + 60_000).toISOString()
  expectStatus(await owner.post('/api/v1/posts', { content: 'Hello', account_ids, scheduled_at }), 201)
  expectProblem(await owner.get('/api/v1/posts/none'), 400, 'validation_failed')
  await t.advance(63_000)
  await t.runJobs()
  t.dispatch()
  await receiver.until((received) => received.length >= 1)
  await expect.poll(async () => (await scrape()).get('meydan_webhook_delivery_seconds_count')).toBe(1)
  const series = await scrape()
  expect(series.get('meydan_problems_total{code="validation_failed"}')).toBe(1)
  expect(
    series.get('meydan_http_request_duration_seconds_count{method="POST",route="/api/v1/posts",status="201"}'),
  ).toBe(1)
  expect(series.get('meydan_publish_attempts_total{network="playground",outcome="published"}')).toBe(1)
  expect(series.get('meydan_publish_lateness_seconds_bucket{le="5",network="playground"}')).toBe(1)
  expect(series.get('meydan_publish_lateness_seconds_bucket{le="1",network="playground"}')).toBe(0)
  expect(series.get('meydan_webhook_attempts_total{outcome="success"}')).toBe(1)
  expect(series.get('meydan_database_connections{pool="requests",state="used"}')).toBeGreaterThanOrEqual(0)
  expect(series.has('nodejs_eventloop_lag_p99_seconds')).toBe(true)
})

test('/metrics reports what waits in the installation', async () => {
  // PostgreSQL tells by its own clock which jobs are due.
  const own = await testApp({}, { origin: new Date() })
  onTestFinished(own.close)
  const owner = await withWorkspace(own)
  await sql`insert into mail (to_address, key, locale, subject, body_text, body_html, state, created_at)
    values ('ada@example.com', 'signup-otp', 'en', 'Code', 'Code', 'Code', 'queued', now() - interval '100 seconds')`.execute(
    own.deps.db,
  )
  const account_ids = [await playgroundAccount(owner)]
  expectStatus(await owner.post('/api/v1/posts', { content: 'Hello', account_ids, publish_now: true }), 201)
  const series = await scrape(own)
  expect(series.get('meydan_installation_readable')).toBe(1)
  expect(series.get('meydan_mails_oldest_seconds')).toBeGreaterThanOrEqual(100)
  expect(series.get('meydan_jobs_ready{job="publish-targets"}')).toBe(1)
  expect(series.get('meydan_worker_nodes')).toBe(0)
})

test('numbers that cannot be read are left out, and the others are still reported', async () => {
  const own = await testApp({ LOG_LEVEL: 'silent' })
  onTestFinished(own.close)
  await sql`alter table worker_node rename to hidden`.execute(own.deps.db)
  const series = await scrape(own)
  expect(series.get('meydan_installation_readable')).toBe(0)
  expect([...series.keys()].filter((name) => name.startsWith('meydan_jobs'))).toEqual([])
  expect(series.has('process_cpu_seconds_total')).toBe(true)
})

test('401 for a request that a proxy forwarded, as long as there is no token', async () => {
  expectProblem(await t.anyone.get('/metrics', { 'x-forwarded-for': '127.0.0.1' }), 401, 'unauthenticated')
})

test('with METRICS_TOKEN, 401 without that token', async () => {
  const own = await testApp({ METRICS_TOKEN: 'one-that-scrapes' })
  onTestFinished(own.close)
  expectProblem(await own.anyone.get('/metrics'), 401, 'unauthenticated')
  expectProblem(await own.anyone.get('/metrics', { authorization: 'Bearer one-that-scrape' }), 401, 'unauthenticated')
  const from = { authorization: 'Bearer one-that-scrapes', 'x-forwarded-for': '203.0.113.9' }
  expect(expectStatus(await own.anyone.get('/metrics', from), 200).headers.get('content-type')).toMatch(/^text\/plain/)
})
