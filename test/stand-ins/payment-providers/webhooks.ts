import { randomNumbers } from '../../random.ts'
import type { PaymentProvider } from './journal.ts'
import type { Timers } from './timers.ts'

type Sent = { body: string; headers: Record<string, string> }

/** A report of a provider. */
type Message = {
  provider: PaymentProvider
  /** Such as `invoice.paid`, `subscription.order.success`, `success`. */
  type: string
  /** The id by which a receiver knows a repetition. */
  eventId: string
  /** The bytes of one attempt, signed at this time (ms) with this secret. `undefined`: not signed at all. */
  make: (at: number, secret: string | undefined) => Sent
  secret: string
  /** The same bytes with another content under the signature. */
  tamper: (body: string) => string
  accepts: (status: number, body: string) => boolean
  /** Milliseconds until the attempt after this many, undefined when the provider gives up. */
  gap: (attempts: number) => number | undefined
}

/** `status`: 0 without a response. */
type Attempt = Sent & { at: Date; status: number; response: string; accepted: boolean }

type Webhook = {
  id: number
  provider: PaymentProvider
  type: string
  eventId: string
  body: string
  /** `held`: until `release`. `waiting`: not accepted yet. `failed`: given up. */
  state: 'held' | 'waiting' | 'accepted' | 'failed' | 'dropped'
  attempts: Attempt[]
  nextAt: Date
}

/**
 * `wrong_secret`, `unsigned`: the signature. `tampered`: signed, then changed. `old`: signed an hour ago. `replay`: the
 * bytes of the first attempt again.
 */
type Forgery = 'wrong_secret' | 'unsigned' | 'tampered' | 'old' | 'replay'

/** In the order of the list of ids; in reverse; or shuffled by a number. */
type Order = number[] | 'reversed' | number

export type Webhooks = ReturnType<typeof createWebhooks>

/** A repeatable shuffle: the same seed gives the same order. */
function shuffled<T>(list: T[], seed: number) {
  const random = randomNumbers(seed)
  const result: T[] = []
  for (const each of list) result.splice(Math.floor(random() * (result.length + 1)), 0, each)
  return result
}

/** Sends the webhooks of all providers, each until its receiver accepts it. */
export function createWebhooks(timers: Timers) {
  const all: { webhook: Webhook; message: Message }[] = []
  const urls = new Map<PaymentProvider, string>()
  let holding = false
  let repeats = 1
  let line = Promise.resolve()
  let closed = false

  const waiting = () => all.filter(({ webhook }) => webhook.state === 'waiting')
  const find = (id: number) => {
    const found = all.find(({ webhook }) => webhook.id === id)
    if (!found) throw new Error(`No webhook ${id}`)
    return found
  }

  async function post(provider: PaymentProvider, { body, headers }: Sent) {
    const url = urls.get(provider)
    if (!url) throw new Error(`No address for webhooks of ${provider}: webhooks.sendTo({ ${provider}: … })`)
    const signal = AbortSignal.timeout(20_000)
    const request = { method: 'POST', headers, body, redirect: 'manual', signal } as const
    const response = await fetch(url, request).catch(() => undefined)
    const text = (await response?.text().catch(() => '')) ?? ''
    return { status: response?.status ?? 0, response: text }
  }

  async function attempt({ webhook, message }: (typeof all)[number]) {
    const sent = message.make(timers.time(), message.secret)
    const result = await post(message.provider, sent)
    const at = new Date(timers.time())
    const accepted = message.accepts(result.status, result.response)
    const done = { ...sent, ...result, at, accepted }
    webhook.attempts.push(done)
    if (accepted) webhook.state = 'accepted'
    else if (webhook.state !== 'accepted') {
      const gap = message.gap(webhook.attempts.length)
      if (gap === undefined) webhook.state = 'failed'
      else webhook.nextAt = new Date(timers.time() + gap)
    }
    return done
  }

  async function attemptAll(each: (typeof all)[number]) {
    for (let time = 0; time < repeats; time++) await attempt(each)
  }

  /** Sends one after the other, after all that was begun before. */
  const queue = (work: () => Promise<unknown>) => {
    line = line.then(work).then(
      () => undefined,
      (error: unknown) => console.error(error),
    )
    return line
  }

  async function sendDue() {
    for (const each of waiting())
      if (!closed && urls.has(each.message.provider) && each.webhook.nextAt.getTime() <= timers.time())
        await attemptAll(each)
  }

  const pump = setInterval(() => {
    timers.catchUp()
    const due = waiting().some(({ webhook }) => webhook.nextAt.getTime() <= timers.time())
    if (due) void queue(sendDue)
  }, 50)
  pump.unref()

  function ordered(order: Order) {
    const held = all.filter(({ webhook }) => webhook.state === 'held')
    if (typeof order === 'number') return shuffled(held, order)
    return order === 'reversed' ? held.reverse() : order.map(find)
  }

  return {
    emit: (message: Message) => {
      const { provider, type, eventId } = message
      const { body } = message.make(timers.time(), message.secret)
      const state = holding ? 'held' : 'waiting'
      const nextAt = new Date(timers.time())
      all.push({
        webhook: { id: all.length + 1, provider, type, eventId, body, state, attempts: [], nextAt },
        message,
      })
      if (!holding) setImmediate(() => queue(sendDue))
    },
    /** Where the webhooks go. Those without an address wait for one. */
    sendTo: (addresses: Partial<Record<PaymentProvider, string>>) => {
      for (const provider of ['stripe', 'iyzico', 'paytr'] as const) {
        const url = addresses[provider]
        if (url !== undefined) urls.set(provider, url)
      }
    },
    /** All webhooks, oldest first. */
    list: (filter: Partial<Pick<Webhook, 'provider' | 'type' | 'state'>> = {}) =>
      all
        .map(({ webhook }) => webhook)
        .filter((webhook) =>
          Object.entries(filter).every(([key, value]) =>
            Object.entries(webhook).some(([k, v]) => k === key && v === value),
          ),
        ),
    /** Keeps what is emitted from now on until `release`. */
    hold: () => {
      holding = true
    },
    /**
     * Ends holding and sends what was held, one after the other, each once, in the order of its creation or as given.
     * An id may stand in the list more than once, and one that is missing is held on. Anything that is not accepted is
     * repeated as usual.
     */
    release: async (order?: Order) => {
      holding = false
      const list = order === undefined ? all.filter(({ webhook }) => webhook.state === 'held') : ordered(order)
      for (const { webhook } of list) if (webhook.state === 'held') webhook.state = 'waiting'
      await queue(async () => {
        for (const each of list) await attemptAll(each)
      })
    },
    /** Sends one now, once, whether or not it was accepted before. Does not wait for others, so calls can run at once. */
    send: (id: number) => attempt(find(id)),
    /** Sends everything this many times, as a provider does that lost the response. */
    repeat: (times: number) => {
      repeats = times
    },
    /** Never sends this one again. */
    drop: (id: number) => {
      find(id).webhook.state = 'dropped'
    },
    /** Sends one as an attacker would, and returns the response. Nothing is recorded as an attempt. */
    forge: (id: number, forgery: Forgery) => {
      const { message, webhook } = find(id)
      const { provider, make, secret, tamper } = message
      const at = timers.time()
      if (forgery === 'replay') return post(provider, webhook.attempts[0] ?? make(at, secret))
      if (forgery === 'old') return post(provider, make(at - 3_600_000, secret))
      if (forgery === 'wrong_secret') return post(provider, make(at, `${secret}x`))
      if (forgery === 'unsigned') return post(provider, make(at, undefined))
      const sent = make(at, secret)
      return post(provider, { ...sent, body: tamper(sent.body) })
    },
    /**
     * Sends everything that waits, without waiting for the time of a repetition, until it is accepted. Throws when
     * something is not after `tries`, or given up.
     */
    settle: async (tries = 10) => {
      const sendable = () => waiting().filter(({ message }) => urls.has(message.provider))
      const tried = new Set<(typeof all)[number]>()
      for (let round = 0; round < tries && sendable().length > 0; round++)
        await queue(async () => {
          for (const each of sendable()) {
            tried.add(each)
            await attemptAll(each)
          }
        })
      await line
      const refused = [...tried].filter(({ webhook }) => webhook.state === 'waiting' || webhook.state === 'failed')
      if (refused.length === 0) return
      const reasons = refused.map(({ webhook: { provider, type, attempts } }) => {
        const { status = 0, response = '' } = attempts.at(-1) ?? {}
        return `${provider} ${type}: ${status} ${response.slice(0, 200)}`
      })
      throw new Error(`Not accepted:\n${reasons.join('\n')}`)
    },
    close: async () => {
      closed = true
      clearInterval(pump)
      await line
    },
  }
}
