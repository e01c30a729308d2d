import type { Finding } from '../../server/modules/agents/drafts/checks.ts'
import type { Draft } from '../../server/modules/agents/drafts/draft.ts'
import type { WritingContext } from '../../server/modules/agents/drafts/writing-context.ts'
import type { Language, LanguageBrief } from './brief.ts'

/** The first text that a model wrote for a brief. */
type FirstText = { draft: Draft; findings: readonly Finding[]; brief: LanguageBrief; context: WritingContext }

type Rule = {
  name: string
  /** Least share of briefs whose first text keeps it. */
  bound: number
  /** undefined: the brief does not ask for it. */
  isKept: (text: FirstText) => boolean | undefined
}

/** No finding of these kinds, by the checks that texts of agents pass through. */
const without =
  (...codes: Finding['code'][]) =>
  ({ findings }: FirstText) =>
    !findings.some(({ code }) => codes.includes(code))

const LINKS = /https?:\/\/\S+/gu
const HASHTAGS = /#[\p{L}\p{N}_]+/gu
const MAX_HASHTAGS = 5

/** Frequent words that only one of the two languages has. */
const frequent: Record<Language, ReadonlySet<string>> = {
  en: new Set(
    'the and of to in is are for with you your we our it on at from that this not who what it’s be have'.split(' '),
  ),
  tr: new Set(
    'bir ve bu için ile da de den dan çok her daha gibi var yok biz siz bize size sizin ne ya ama olan olarak kadar artık'.split(
      ' ',
    ),
  ),
}
const TURKISH_LETTERS = /[ğışçöü]/u

/** The language of a text by its words. undefined: neither of the two. */
export function languageOf(text: string): Language | undefined {
  const words =
    text
      .replace(LINKS, ' ')
      .replace(HASHTAGS, ' ')
      .toLocaleLowerCase('tr')
      .match(/[\p{L}’]+/gu) ?? []
  const english = words.filter((word) => frequent.en.has(word.replaceAll('ı', 'i'))).length
  const turkish = words.filter((word) => frequent.tr.has(word) || TURKISH_LETTERS.test(word.replace(/ı/g, ''))).length
  if (english === turkish) return undefined
  return english > turkish ? 'en' : 'tr'
}

/** Numbers of a text by their digits: 1.900 and 1,900 are the same. Links have none. */
const numbersIn = (text: string) =>
  (text.replace(LINKS, ' ').match(/\d+(?:[.,:]\d+)*/g) ?? []).map((number) => number.replace(/\D/g, ''))

function hasGivenNumbers({ draft, context: { checks } }: FirstText) {
  const given = [checks.setup, ...checks.material.flatMap(({ title, text }) => [title, text])]
  const known = new Set(given.flatMap(numbersIn))
  return numbersIn(draft.content).every((number) => known.has(number))
}

function hasBrandHashtags({ draft, brief: { hashtags } }: FirstText) {
  const used = (draft.content.match(HASHTAGS) ?? []).map((hashtag) => hashtag.slice(1))
  return used.length <= MAX_HASHTAGS && (!hashtags || used.every((hashtag) => hashtags.includes(hashtag)))
}

const hasLink = ({ draft, brief: { link } }: FirstText) =>
  link === undefined
    ? undefined
    : (draft.content.match(LINKS) ?? []).some((found) => found.replace(/[.,;:!?)]+$/, '') === link)

/** Rules for the first text of a model: later ones are told what is wrong. `written` comes before them. */
export const rules: readonly Rule[] = [
  { name: 'subject', bound: 0.96, isKept: ({ draft }) => draft.skip_reason === null },
  { name: 'length', bound: 0.94, isKept: without('too_long') },
  { name: 'language', bound: 0.98, isKept: ({ draft, brief }) => languageOf(draft.content) === brief.language },
  { name: 'link kept', bound: 0.9, isKept: hasLink },
  { name: 'link invented', bound: 0.98, isKept: without('link_not_allowed') },
  { name: 'repetition', bound: 0.94, isKept: without('repeat', 'similar') },
  { name: 'forbidden word', bound: 0.96, isKept: without('forbidden_word') },
  { name: 'claim', bound: 0.86, isKept: without('unsourced_claim') },
  { name: 'number', bound: 0.94, isKept: hasGivenNumbers },
  { name: 'hashtags', bound: 0.9, isKept: hasBrandHashtags },
  { name: 'mention', bound: 0.96, isKept: without('mention') },
  { name: 'source named', bound: 0.9, isKept: without('unknown_source') },
  { name: 'secrecy', bound: 1, isKept: without('secret', 'prompt_leak') },
]
