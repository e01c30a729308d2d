import type { Db } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { ipNetworksOf } from '../../../lib/http/limits/ip-network.ts'
import { rateLimitHeaders, tooManyRequests } from '../../../lib/http/limits/rate-limit.ts'
import { countCall, deleteEndedCounts, type Quota, type Used, uncountCall } from './attempt-counts.ts'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

/** Calls that are allowed in a window, as a multiple of RATE_LIMIT_AUTH. `failed`: calls that succeed do not count. */
type Rule = { times: number; seconds: number; failed?: true }

type Rules = {
  /** Attempts about one subject from one network. */
  pair?: Rule[]
  /** Attempts from one network, about any subject. */
  network?: Rule[]
  /** Attempts about one subject, from all networks together. */
  subject?: Rule[]
}

/**
 * Limits by purpose. Each purpose has its own counts, so wrong sign-ins leave the reset open. The strict limit is the
 * one of a subject and a network together, so others cannot use it up. With the default of 10, someone with any number
 * of networks has 300 guesses a day at a password, and 50 at a mailed code of six digits: 0.005 %.
 */
const purposes = {
  /** About an address. A known browser counts by itself (`pair`) and not with others. */
  signIn: {
    pair: [
      { times: 1, seconds: MINUTE },
      { times: 3, seconds: DAY, failed: true },
    ],
    network: [
      { times: 5, seconds: MINUTE },
      { times: 50, seconds: DAY, failed: true },
    ],
    subject: [
      { times: 5, seconds: MINUTE },
      { times: 30, seconds: DAY, failed: true },
    ],
  },
  /** About a user whose password was right. better-auth also locks a factor for 15 minutes after ten wrong codes. */
  secondFactor: { network: [{ times: 5, seconds: MINUTE }], subject: [{ times: 1, seconds: MINUTE }] },
  /** Codes mailed to an address, which it is about. */
  code: {
    pair: [
      { times: 1, seconds: MINUTE },
      { times: 1.5, seconds: DAY, failed: true },
    ],
    network: [
      { times: 5, seconds: MINUTE },
      { times: 50, seconds: DAY, failed: true },
    ],
    subject: [{ times: 5, seconds: DAY, failed: true }],
  },
  /** Mails with a code, about a mailbox. */
  codeMail: {
    pair: [{ times: 1, seconds: HOUR }],
    network: [
      { times: 3, seconds: MINUTE },
      { times: 10, seconds: HOUR },
    ],
    subject: [{ times: 2, seconds: HOUR }],
  },
  /**
   * Mails with a reset link, about a mailbox. A link is valid for an hour: when others have used up the limit, one is in
   * the mailbox already.
   */
  resetMail: {
    pair: [{ times: 1, seconds: HOUR }],
    network: [
      { times: 3, seconds: MINUTE },
      { times: 10, seconds: HOUR },
    ],
    subject: [{ times: 2, seconds: HOUR }],
  },
  /** Uses of a reset link, about nobody: it is too long to guess. */
  reset: { network: [{ times: 5, seconds: MINUTE }] },
  /** The password or second factor of a signed-in user, who it is about: the session may be stolen. */
  ownPassword: {
    network: [{ times: 5, seconds: MINUTE }],
    subject: [
      { times: 1, seconds: MINUTE },
      { times: 10, seconds: DAY, failed: true },
    ],
  },
  /** The two codes of a change of address, about its user. */
  emailChange: {
    subject: [
      { times: 1, seconds: MINUTE },
      { times: 5, seconds: DAY, failed: true },
    ],
  },
  /** Wrong secrets of client links. */
  clientSecret: { network: [{ times: 1, seconds: MINUTE, failed: true }] },
  /** Wrong passwords of a client link, about the link. Only those who have its secret can try one. */
  clientPassword: { pair: [{ times: 1, seconds: HOUR, failed: true }] },
  /** New sessions of a client link, about the link: a further one ends the oldest. */
  clientOpening: { subject: [{ times: 3, seconds: MINUTE }] },
  /** Calls through a client link, about the link. A month of posts has many pictures. */
  clientRead: { subject: [{ times: 12, seconds: MINUTE }] },
  clientFile: { subject: [{ times: 100, seconds: MINUTE }] },
  clientDecision: { subject: [{ times: 6, seconds: MINUTE }] },
  clientComment: {
    subject: [
      { times: 1, seconds: MINUTE },
      { times: 20, seconds: DAY },
    ],
  },
  /** Reads of a calendar feed, about the feed. Calendar programs read every 15 minutes at most. */
  calendarFeed: { subject: [{ times: 6, seconds: HOUR }] },
} satisfies Record<string, Rules>

export type Attempt = {
  purpose: keyof typeof purposes
  ip: string | null
  /** The address, mailbox or user that the attempt is about. */
  subject?: string
  /** A browser in which the subject has signed in before. */
  knownBrowser?: string
}

/**
 * The quotas of an attempt, in steps: a step counts only when the former allows the call, so that one network cannot
 * use up the limit of a subject.
 */
function stepsOf({ purpose, ip, subject, knownBrowser }: Attempt, limit: number): Quota[][] {
  const { pair = [], network: ofNetwork = [], subject: ofSubject = [] }: Rules = purposes[purpose]
  const quotas = (rules: Rule[], name: string, share = 1) =>
    rules.map(({ times, seconds, failed }) => ({
      key: `${purpose} ${seconds} ${name}`,
      quota: Math.ceil(limit * times * share),
      seconds,
      ...(failed && { failed }),
    }))
  if (knownBrowser !== undefined) return [quotas(pair, `browser ${knownBrowser}`)]
  const own = ipNetworksOf(ip).flatMap(({ network, share }) => [
    ...(subject === undefined ? [] : quotas(pair, `${network} about ${subject}`, share)),
    ...quotas(ofNetwork, network, share),
  ])
  return [own, subject === undefined ? [] : quotas(ofSubject, `about ${subject}`)].filter((step) => step.length > 0)
}

const isExceeded = ({ count, quota }: Used) => count > quota

/** The quota that a response reports: one that is exceeded for the longest time, or the one with the fewest calls left. */
const findTightest = (used: readonly Used[]) =>
  used.toSorted(
    (a, b) =>
      Number(isExceeded(b)) - Number(isExceeded(a)) ||
      (isExceeded(a) ? b.wait - a.wait : a.quota - a.count - (b.quota - b.count) || b.wait - a.wait),
  )[0]

async function countAttempt(db: Db, limit: number, attempt: Attempt, now: Date) {
  const used: Used[] = []
  for (const step of stepsOf(attempt, limit)) {
    used.push(...(await countCall(db, step, now)))
    if (used.some(isExceeded)) break
  }
  const failures = used.filter(({ failed }) => failed)
  const takeBack = async () => {
    if (failures.length > 0) await uncountCall(db, failures)
  }
  return { tightest: findTightest(used), takeBack }
}

/** Headers of a response, as in Fastify. */
type Reply = {
  getHeader: (name: string) => number | string | string[] | undefined
  header: (name: string, value: string) => unknown
}

/**
 * Counts a call that asks for a password, a code or a mail, across all nodes, sets the headers, and runs `work`. Throws
 * `too_many_requests` beyond a limit.
 */
export async function limitAttempts<T>(
  { db, config: { RATE_LIMIT_AUTH: limit }, clock }: Pick<Deps, 'db' | 'config' | 'clock'>,
  reply: Reply,
  attempt: Attempt,
  work: () => Promise<T>,
): Promise<T> {
  if (limit === 0) return work()
  const { tightest, takeBack } = await countAttempt(db, limit, attempt, clock.now())
  if (tightest) {
    const { quota, count, wait, seconds } = tightest
    const name = attempt.purpose === 'codeMail' || attempt.purpose === 'resetMail' ? 'mail' : 'auth'
    const headers = rateLimitHeaders(name, { quota, left: quota - count, seconds: wait, window: seconds })
    // Both fields are lists: values of other limits stay.
    for (const [header, value] of Object.entries(headers)) {
      const other = reply.getHeader(header)
      reply.header(header, other === undefined ? value : `${other}, ${value}`)
    }
    if (isExceeded(tightest)) {
      // Nothing was checked, so a burst does not end the attempts of the day.
      await takeBack()
      throw tooManyRequests(wait)
    }
  }
  const result = await work()
  await takeBack()
  return result
}

/** Deletes expired counts, codes, links and sessions. */
export async function deleteExpiredAuthRows(db: Db, now: Date) {
  await deleteEndedCounts(db, now)
  // better-auth uses the real time.
  const over = new Date(Math.min(now.getTime(), Date.now()))
  await db.deleteFrom('verification').where('expires_at', '<', over).execute()
  await db.deleteFrom('session').where('expires_at', '<', over).execute()
  await db.deleteFrom('email_change').where('expires_at', '<', now).execute()
}
