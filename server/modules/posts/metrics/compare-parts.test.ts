import { expect, test } from 'vitest'
import { randomNumbers } from '../../../../test/random.ts'
import { compareParts } from './compare-parts.ts'

const RUNS = 400

/**
 * Posts of an account that publishes in four of the eight parts, as habits are. Reactions are log-normal with σ = 1, and
 * grow by `growth`. `effect`: the factor in one of the parts.
 */
function simulate(
  random: () => number,
  { posts, effect = 1, growth = 1 }: { posts: number; effect?: number; growth?: number },
) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const weights = [0, 1, 2, 3].map(() => 1 + 2 * random())
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const better = Math.floor(random() * weights.length)
  const samples = Array.from({ length: posts }, (_, index) => {
    const place = random() * sum
    const part = weights.findIndex((_, at) => place < weights.slice(0, at + 1).reduce((total, each) => total + each, 0))
    const usual = 20 * growth ** (index / posts) * Math.exp(normal())
    return { part, value: Math.log1p(Math.round(usual * (part === better ? effect : 1))) }
  })
  return { found: compareParts(samples), better }
}

function shareOf(
  seed: number,
  input: Parameters<typeof simulate>[1],
  isTrue: (run: ReturnType<typeof simulate>) => boolean,
) {
  const random = randomNumbers(seed)
  return Array.from({ length: RUNS }, () => simulate(random, input)).filter(isTrue).length / RUNS
}

test.each([{ posts: 60 }, { posts: 120 }, { posts: 200 }, { posts: 120, growth: 8 }])(
  'without an effect a part is named in at most 7 % of accounts: %o',
  (input) => {
    expect(shareOf(1, input, ({ found }) => found.size > 0)).toBeLessThanOrEqual(0.07)
  },
)

test.each([{ growth: 1 }, { growth: 8 }])(
  'with growth $growth, a real effect of +80 % is found at 120 posts in more than half of accounts',
  ({ growth }) => {
    const input = { posts: 120, effect: 1.8, growth }
    expect(shareOf(2, input, ({ found, better }) => found.has(better))).toBeGreaterThan(0.5)
    expect(shareOf(3, input, ({ found, better }) => [...found.keys()].some((part) => part !== better))).toBeLessThan(
      0.03,
    )
  },
)

test('the bounds of what is found enclose 1.8 nearly always', () => {
  const input = { posts: 400, effect: 1.8 }
  const isWrong = ({ found, better }: ReturnType<typeof simulate>) => {
    const bounds = found.get(better)
    return bounds !== undefined && (bounds.low > 1.8 || bounds.high < 1.8)
  }
  expect(shareOf(4, input, isWrong)).toBeLessThan(0.07)
})

test('nothing is named with fewer than 60 posts, of a part with fewer than eight, or when all are equal', () => {
  const alternating = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ part: index % 2, value: index % 2 ? 9 : 1 + (index % 3) / 9 }))
  expect(compareParts(alternating(59)).size).toBe(0)
  expect([...compareParts(alternating(60)).keys()]).toEqual([1])
  const rare = Array.from({ length: 100 }, (_, index) => ({
    part: index < 7 ? 'rare' : 'usual',
    value: index < 7 ? 9 : (index % 3) / 9,
  }))
  expect(compareParts(rare).size).toBe(0)
  expect(compareParts(Array.from({ length: 80 }, (_, index) => ({ part: index % 4, value: 0 }))).size).toBe(0)
})
