import { Pool } from 'undici'
import { type TestApp, testApp } from '../app.ts'
import { backupSettings } from '../backups.ts'
import { planWithoutLimits, sellWithoutLimits } from '../billing.ts'
import { type Person, signedIn } from '../factories.ts'
import { webhookReceiver } from '../receiver.ts'
import { ollama } from '../stand-ins/ai-openai.ts'
import { aiServer } from '../stand-ins/ai-server.ts'
import { xai } from '../stand-ins/ai-xai.ts'
import { blueskyServer } from '../stand-ins/bluesky.ts'
import { type PaymentServers, paymentServers } from '../stand-ins/payment-providers/payment-servers.ts'
import { soldPlans } from './billing-recipes.ts'
import { type Caller, callerPool } from './callers.ts'
import { resolved, toJson } from './deferred.ts'
import { type OpenApi, readDocument } from './document.ts'
import { collectKnownValues } from './known-values.ts'
import { oracle, type Received } from './oracle.ts'
import type { RecipeContext } from './recipe-context.ts'
import { recipes } from './recipes.ts'
import type { Plan } from './requests.ts'

type Request = { method: string; path: string; headers: [string, string][]; body: string | Buffer | undefined }

const printable = (body: string | Buffer) => {
  const text = JSON.stringify(body.toString('utf8'))
  return text.length > 2000 ? `${text.slice(0, 2000)}…" # ${body.length} bytes` : text
}
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const asCurl = (url: string, { method, path, headers, body }: Request) =>
  [
    `curl -i -X ${method} ${quoted(url + path.slice(0, 1000))}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value.slice(0, 300)}`)}`),
    ...(body === undefined ? [] : [`--data-raw $${printable(body)}`]),
  ].join(' ')

/** Writing the document and compiling its schemas takes seconds, and all sessions have the same. */
let described: ReturnType<typeof describedBy> | undefined
async function describedBy(t: TestApp) {
  const { body } = await t.anyone.get('/openapi.json')
  const document = readDocument(body as OpenApi)
  return { document, faultsOf: oracle(document) }
}

/** An address that is never called. */
const NOWHERE = 'http://10.0.0.1/'

/** The path and query of a request. Query values other than text are written as JSON. */
function addressOf({ operation, path, query }: Plan, resolve: (value: unknown) => unknown) {
  const filled = operation.path.replace(/\{(\w+)\}/g, (_, name) => String(resolve(path[name])))
  const isPreview = /previewLink$/i.test(operation.operationId)
  const text = (value: unknown) => {
    const one = resolve(value)
    const given = typeof one === 'string' ? one : String(toJson(one))
    return encodeURIComponent((isPreview && given.startsWith('http') ? NOWHERE : given).toWellFormed())
  }
  const pairs = query.map(([name, value]) => `${encodeURIComponent(name.toWellFormed())}=${text(value)}`)
  return { path: filled, query: pairs.length ? `?${pairs.join('&')}` : '' }
}

/** Nothing leaves this machine: accounts and models are only those of the stand-ins. */
function toStandIns(operationId: string, body: unknown, service: string, base_url: string) {
  if (typeof body !== 'object' || body === null) return body
  if (/^(create|change)AiModel$/.test(operationId)) {
    const params: unknown = Reflect.get(body, 'api_params')
    if (operationId === 'changeAiModel' && params === undefined) return body
    if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params))) return body
    return { ...body, api_params: { ...params, base_url } }
  }
  if (/importMedia$/i.test(operationId)) {
    const url: unknown = Reflect.get(body, 'url')
    return typeof url === 'string' && !url.startsWith('http://127.0.0.1:') ? { ...body, url: NOWHERE } : body
  }
  if (!/connectAccount$/i.test(operationId)) return body
  return Reflect.get(body, 'network') === 'bluesky' ? { ...body, service } : body
}

/** Sells two plans, by hand and through Stripe. */
async function sell(admin: Person, { stripe }: PaymentServers) {
  await sellWithoutLimits(admin)
  const priceOf = (amount: number) => stripe.createPrice({ amount, currency: 'try', interval: 'month' })
  for (const [code, monthly] of [
    [soldPlans.small, 100],
    [soldPlans.large, 200],
  ] as const)
    await planWithoutLimits(admin, { code, monthly, metadata: { stripe_price_id_monthly: priceOf(monthly * 100) } })
}

/** Starts a Meydan that gets requests one at a time. */
export async function startSession(settings: Record<string, string> = {}) {
  let started: TestApp | undefined
  const payments = await paymentServers({ now: () => started?.clock.now() ?? new Date() })
  const { stripe } = payments
  const t = await testApp(
    {
      STRIPE_URL: stripe.url,
      STRIPE_SECRET_KEY: stripe.key,
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
      ...backupSettings,
      ...settings,
    },
    { subscribed: true },
  )
  started = t
  payments.webhooks.sendTo({ stripe: `${t.url}/api/v1/billing/webhooks/stripe` })
  const bluesky = await blueskyServer()
  // Both accept every key.
  const providers = { text: await aiServer(ollama, undefined), video: await aiServer(xai(), undefined) }
  const receiver = await webhookReceiver()
  const pool = new Pool(t.url, { connections: 1, headersTimeout: 30_000, bodyTimeout: 30_000 })
  described ??= describedBy(t)
  const { document, faultsOf } = await described
  // One that responds, and three that never do.
  const hooks = [receiver.url, 'http://127.0.0.1:1/hook', 'http://127.0.0.1:9/', 'https://localhost:1/']
  const known = collectKnownValues(document, {
    hooks,
    now: t.clock.now,
    blueskyAccount: () => ({ network: 'bluesky', service: bluesky.url, ...bluesky.addAccount() }),
  })
  const strangers = known.valuesFor({ name: '', headers: {}, tenant: 'none', workspace_id: undefined })
  let callers: Awaited<ReturnType<typeof callerPool>> | undefined
  let admin: Person | undefined

  const replaceUnfit = async () => {
    if (await callers?.replaceUnfit()) known.forget()
    if (admin && (await admin.get('/api/v1/me')).status === 401) admin = await signedIn(t, { instanceAdmin: true })
  }
  const send = async ({ method, path, headers, body }: Request): Promise<Received> => {
    const response = await pool.request({
      // undici's type has fewer methods than HTTP.
      method: method as 'GET',
      path,
      headers: headers.flat(),
      body: body ?? null,
    })
    return { status: response.statusCode, headers: response.headers, text: await response.body.text() }
  }
  /** Retries once: the connection may have been closed after a refusal while this request was sent. */
  const sendAgain = (request: Request) => send(request).catch(() => send(request))

  const pick = (plan: Plan): Caller => {
    if (!callers) return { name: 'nobody', headers: {}, tenant: 'none', workspace_id: undefined }
    const among = plan.byAnyone ? callers.allCallers() : callers.allowedCallers(plan.operation)
    return among[plan.who % among.length] ?? callers.current().callers.nobody
  }
  const context: RecipeContext = {
    t,
    bluesky,
    payments,
    providers,
    get admin() {
      if (!admin) throw new Error('Nobody is there yet')
      return admin
    },
    freshAddress: strangers.freshAddress,
    get callers() {
      if (!callers) throw new Error('Nobody is there yet')
      return callers
    },
  }

  async function requestOf(plan: Plan) {
    const caller = pick(plan)
    const values = known.valuesFor(caller)
    const resolve = (value: unknown) => resolved(value, values)
    const recipe = plan.intent === 'valid' ? recipes[plan.operation.operationId] : undefined
    const parts = await recipe?.(context).catch(async () => {
      // A caller may have signed out or been removed.
      await replaceUnfit()
      return recipe(context)
    })
    if (parts?.path?.token) known.keepInvitation(parts.path.token)
    const address = addressOf(
      {
        ...plan,
        path: { ...plan.path, ...parts?.path },
        query: parts?.query ? Object.entries(parts.query) : plan.query,
      },
      resolve,
    )
    const headers: [string, string][] = Object.entries(parts?.headers ?? caller.headers)
    const given = plan.headers.map(([name, value]): [string, string] => [name.toLowerCase(), String(resolve(value))])
    const isGiven = (name: string) => given.some(([other]) => other === name)
    if (
      !parts?.headers &&
      caller.workspace_id !== undefined &&
      !isGiven('x-workspace-id') &&
      (plan.intent === 'valid' || plan.who % 2)
    )
      headers.push(['x-workspace-id', caller.workspace_id])
    headers.push(...given)
    let body: string | Buffer | undefined
    if (parts?.body !== undefined) body = toJson(parts.body)
    else if (plan.body && 'raw' in plan.body) body = plan.body.raw
    else if (plan.body)
      body = toJson(toStandIns(plan.operation.operationId, resolve(plan.body.json), bluesky.url, providers.text.url))
    if (body !== undefined && !isGiven('content-type')) headers.push(['content-type', 'application/json'])
    const request: Request = { method: plan.method, path: address.path + address.query, headers, body }
    return { request, path: address.path, caller }
  }

  /** The body, if a server must treat it as JSON. */
  function jsonOf({ headers, body }: Request) {
    const types = headers.filter(([name]) => name === 'content-type')
    if (body === undefined || types.length !== 1 || types[0]?.[1] !== 'application/json') return
    try {
      return { value: JSON.parse(body.toString()) as unknown }
    } catch {
      return
    }
  }

  return {
    t,
    document,
    /** Creates the callers. Until then no account exists. */
    begin: async () => {
      callers = await callerPool(t)
      admin = await signedIn(t, { instanceAdmin: true })
      await sell(admin, payments)
    },
    /** Advances the clock, publishes due posts and replaces unusable callers. */
    pause: async () => {
      // Every job that runs would retry the mails to a server that does not exist.
      await admin?.delete('/api/v1/options/mail.smtp_url')
      t.advance(20_000)
      await t.runJobs()
      await replaceUnfit()
    },
    /** Sends a request and returns the faults of its response. */
    run: async (plan: Plan) => {
      const { request, path, caller } = await requestOf(plan)
      const ids = request.headers.filter(([name]) => name === 'x-request-id').map(([, value]) => value.trim())
      const requestId = ids.length === 1 && /^[A-Za-z0-9_-]{1,64}$/.test(ids[0] ?? '') ? ids[0] : undefined
      let received: Received
      try {
        received = await sendAgain(request)
      } catch (error) {
        return { status: 0, faults: [`no response: ${error}`], curl: asCurl(t.url, request), response: '', caller }
      }
      if (received.status === 401 && plan.intent === 'valid') await replaceUnfit()
      const faults = faultsOf({ method: request.method, path, requestId, json: jsonOf(request) }, received)
      if (
        received.status < 300 &&
        received.text &&
        /json/.test(String(received.headers['content-type'])) &&
        request.method !== 'HEAD'
      )
        known.learn(path, caller.tenant, { headers: received.headers, body: JSON.parse(received.text) })
      return { status: received.status, faults, curl: asCurl(t.url, request), response: received.text, caller }
    },
    close: async () => {
      await pool.destroy()
      bluesky.close()
      await payments.close()
      for (const provider of Object.values(providers)) provider.close()
      receiver.close()
      await t.close()
    },
  }
}
