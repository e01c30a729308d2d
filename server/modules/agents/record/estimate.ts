import { Cron } from 'croner'
import { DAY } from '../../../../shared/time.ts'
import { toUsd } from '../../../lib/money.ts'
import { CREDITS } from '../../ai/generate.ts'
import { imageCost, maxOutputTokens, maxTextCost, type Prices, textCost, videoCost } from '../../ai/models/prices.ts'
import type { Schedule } from './schedule.ts'

/** Texts that a model writes for one post at most: those that break a rule are written again. */
export const MAX_TEXTS = 3
/** Days that an estimate is for: those of the longest month. */
const DAYS = 31

type Planned = {
  schedule_cron: string | null
  timezone: string
  posts_per_run: number
  daily_limit: number
  generate_image: boolean
  video: boolean
}

/** Times of `cron` after `from`, until `to`. */
function countTimes(cron: Cron, from: Date, to: Date) {
  let count = 0
  for (let time = cron.nextRun(from); time && time <= to; time = cron.nextRun(time)) count++
  return count
}

const counted = new Map<string, { days: number; a_day: number }>()
const MAX_COUNTED = 1000

/** Returns what `countRuns` returned earlier that day: a list has many agents, and a search takes milliseconds. */
function runsOf(schedule: Schedule, now: Date) {
  const key = `${schedule.schedule_cron} ${schedule.timezone} ${Math.floor(now.getTime() / DAY)}`
  const known = counted.get(key)
  if (known) return known
  if (counted.size >= MAX_COUNTED) counted.clear()
  const runs = countRuns(schedule, now)
  counted.set(key, runs)
  return runs
}

/**
 * Counts the days of the coming 31 on which a schedule has runs, and the runs on such a day. Days and times are counted
 * separately, because a schedule can have 2,976 runs.
 */
function countRuns({ schedule_cron, timezone }: Schedule, now: Date) {
  const [minute, hour, ...dates] = schedule_cron.split(' ')
  const noons = new Cron(`0 12 ${dates.join(' ')}`, { mode: '5-part', timezone })
  const times = new Cron(`${minute} ${hour} * * *`, { mode: '5-part', timezone: 'UTC' })
  const midnight = new Date(Math.floor(now.getTime() / DAY) * DAY)
  return {
    days: countTimes(noons, now, new Date(now.getTime() + DAYS * DAY)),
    a_day: countTimes(times, new Date(midnight.getTime() - 1), new Date(midnight.getTime() + DAY - 1)),
  }
}

/** The model that writes texts: its prices, and what limits its output. */
export type TextModel = Prices & Parameters<typeof maxOutputTokens>[0]

/** Prices of the model that makes each kind; undefined without such a model. */
export type PricesByKind = { text: TextModel | undefined; image: Prices | undefined; video: Prices | undefined }

/** Tokens of a short text after a short brief, and of a long one with the sources and posts of a busy agent. */
const TOKENS = { low: { input: 1500, output: 250 }, high: { input: 6000, output: 1000 } }
const VIDEO_SECONDS = { low: 5, high: 10 }
/** Bytes of the longest of these tokens. */
const BYTES = TOKENS.high.input * 4

/** Estimates what a post costs in money. `unpriced`: what this leaves out. */
function estimatePost({ generate_image, video }: Planned, prices: PricesByKind) {
  const picture = video ? ('video' as const) : generate_image ? ('image' as const) : undefined
  const costs = (end: 'low' | 'high') => ({
    text: prices.text && textCost(prices.text, TOKENS[end]),
    image: prices.image && imageCost(prices.image, 1),
    video: prices.video && videoCost(prices.video, VIDEO_SECONDS[end]),
  })
  const sum = (end: 'low' | 'high', texts: number) =>
    (costs(end).text ?? 0) * texts + (picture ? (costs(end)[picture] ?? 0) : 0)
  const wanted = ['text' as const, ...(picture ? [picture] : [])]
  return {
    post: { low: sum('low', 1), high: sum('high', MAX_TEXTS) },
    text_max: prices.text
      ? (maxTextCost(prices.text, { bytes: BYTES, max_tokens: maxOutputTokens(prices.text) }) ?? 0)
      : 0,
    unpriced: wanted.filter((kind) => (costs('low')[kind] ?? null) === null),
  }
}

/**
 * Estimates the AI credits and the cost of 31 days. `low`: every text is accepted at once; `high`: each is written three
 * times. Each post has its video or image, if it wants one. Blocked texts come on top: each is followed by another within
 * the daily limit.
 */
export function estimateMonth(agent: Planned, prices: PricesByKind, now: Date) {
  const { schedule_cron, timezone, posts_per_run, daily_limit, generate_image, video } = agent
  const { days, a_day } = schedule_cron === null ? { days: 0, a_day: 0 } : runsOf({ schedule_cron, timezone }, now)
  const posts = days * Math.min(a_day * posts_per_run, daily_limit)
  // An image takes the place of a video that failed, whose credits are returned.
  const picture = video ? CREDITS.video : generate_image ? CREDITS.image : 0
  const post = { low: CREDITS.text + picture, high: CREDITS.text * MAX_TEXTS + picture }
  const { text_max, unpriced, ...cost } = estimatePost(agent, prices)
  const usd = (times: number) => ({ low: toUsd(times * cost.post.low), high: toUsd(times * cost.post.high) })
  return {
    cost_usd: { month: usd(posts), post: usd(1), text_max: toUsd(text_max), unpriced },
    low: posts * post.low,
    high: posts * post.high,
    days: DAYS,
    runs: days * a_day,
    posts,
    post,
  }
}
