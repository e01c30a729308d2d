import { type Message, toMessage } from '../../../errors.ts'
import type { Text } from '../../../lib/language.ts'
import { MAX_TEXTS } from '../record/estimate.ts'
import type { Material } from '../sources/material.ts'
import type { Draft } from './draft.ts'
import { hostsIn, isAllowedHost } from './links.ts'
import { phraseFinder } from './phrases.ts'
import { mostSimilar } from './similarity.ts'

export const findingCodes = [
  'unreadable',
  'too_long',
  'link_not_allowed',
  'forbidden_word',
  'secret',
  'prompt_leak',
  'repeat',
  'similar',
  'unsourced_claim',
  'mention',
  'unknown_source',
  'untrusted_source',
] as const
type FindingCode = (typeof findingCodes)[number]

/** A broken rule. The message is for the model and for people, its translation for people. */
export type Finding = Message & { code: FindingCode }

/** `retry`: the model writes again. `otherwise`: what happens to a text that still breaks the rule. */
const rules: Record<FindingCode, { retry: boolean; otherwise: 'block' | 'review' }> = {
  unreadable: { retry: true, otherwise: 'block' },
  too_long: { retry: true, otherwise: 'block' },
  link_not_allowed: { retry: true, otherwise: 'block' },
  forbidden_word: { retry: true, otherwise: 'block' },
  secret: { retry: false, otherwise: 'block' },
  prompt_leak: { retry: false, otherwise: 'block' },
  repeat: { retry: true, otherwise: 'block' },
  similar: { retry: true, otherwise: 'review' },
  unsourced_claim: { retry: false, otherwise: 'review' },
  mention: { retry: false, otherwise: 'review' },
  unknown_source: { retry: true, otherwise: 'review' },
  untrusted_source: { retry: false, otherwise: 'review' },
}

/** Decides about a text after this many attempts. */
export function verdictOf(findings: readonly Finding[], attempts: number) {
  const broken = findings.map(({ code }) => rules[code])
  if (broken.some(({ retry, otherwise }) => !retry && otherwise === 'block')) return 'block'
  if (attempts < MAX_TEXTS && broken.some(({ retry }) => retry)) return 'retry'
  if (broken.some(({ otherwise }) => otherwise === 'block')) return 'block'
  return broken.length > 0 ? 'review' : 'accept'
}

export const SECRETS =
  /\b(?:meydan_pat_\w{8,}|sk-[\w-]{16,}|whsec_\S{8,}|gh[oprsu]_\w{16,}|AKIA[0-9A-Z]{12,}|eyJ[\w-]{8,}\.eyJ[\w-]{8,})|-----BEGIN [A-Z ]*KEY/
export const MENTIONS = /(?<![\p{L}\p{N}_.])@[\p{L}\p{N}_][\p{L}\p{N}_.-]*/gu
const HASHTAGS = /#[\p{L}\p{N}_]+/gu
const MAX_HASHTAGS = 8

/** Prices, shares and telephone numbers. */
const FIGURES =
  /[₺$€£]\s?\d[\d.,]*|\d[\d.,]*\s?(?:%|₺|€|\$|£|TL\b|USD\b|EUR\b|lira)|%\s?\d[\d.,]*|\+?\d[\d ()-]{8,}\d/giu
const digitsOf = (text: string) => text.replace(/\D/g, '')

/** Digits of the numbers in texts, those of telephone numbers as one. A number is not a part of another. */
const numbersIn = (texts: readonly string[]) =>
  new Set(texts.flatMap((text) => [...(text.match(/\d[\d.,]*/g) ?? []), ...(text.match(FIGURES) ?? [])].map(digitsOf)))

/** Similarity from which a text repeats another, and from which a person decides. */
const REPEATS = 0.75
const RESEMBLES = 0.5

/** Characters in a row of the instructions that a post cannot share by chance. */
const LEAK_LENGTH = 80

function leaks(text: string, instructions: string) {
  const plain = (each: string) => each.replace(/\s+/g, ' ')
  const [own, secret] = [plain(text), plain(instructions)]
  const windows = new Set<string>()
  for (let at = 0; at + LEAK_LENGTH <= secret.length; at++) windows.add(secret.slice(at, at + LEAK_LENGTH))
  for (let at = 0; at + LEAK_LENGTH <= own.length; at++) if (windows.has(own.slice(at, at + LEAK_LENGTH))) return true
  return false
}

export type CheckContext = {
  /** Everything that people wrote for the agent: its words may appear in a post. */
  setup: string
  instructions: string
  canary: string
  allowed_hosts: readonly string[]
  /** Links that may be used as they are. */
  allowed_links: readonly string[]
  forbidden_words: readonly string[]
  /** Material that the model could write about. */
  material: readonly Material[]
  /** Mark of the fences around it, which no post may contain. */
  boundary: string
  /** Texts of the newest posts of the workspace. */
  recent: readonly string[]
  /** Returns the problem of a text that is too long for a network, or for all of them. undefined if it fits. */
  lengthProblem: (network: string | null, content: string) => Message | undefined
}

function repetition(content: string, recent: readonly string[]): Finding[] {
  const { similarity, text } = mostSimilar(content, recent)
  if (similarity < RESEMBLES) return []
  const said = JSON.stringify(text.slice(0, 300))
  const message = toMessage({ en: `This was said before: ${said}`, tr: `Bu daha önce söylendi: ${said}` })
  return [{ code: similarity >= REPEATS ? 'repeat' : 'similar', ...message }]
}

export const usedBy = ({ source_ids }: Pick<Draft, 'source_ids'>, material: readonly Material[]) =>
  material.filter(({ id }) => source_ids.includes(id))

/** Findings by what the model could read, and not by what it says: a text can talk it out of naming its source. */
export function trustFindings(material: readonly Material[]): Finding[] {
  const labels = new Set(material.filter(({ is_trusted }) => !is_trusted).map(({ label }) => label))
  if (labels.size === 0) return []
  const names = [...labels].join(', ')
  const message = toMessage({
    en: `No admin trusts these sources: ${names}`,
    tr: `Hiçbir yönetici bu kaynaklara güvenmiyor: ${names}`,
  })
  return [{ code: 'untrusted_source', ...message }]
}

function sourceFindings({ source_ids }: Draft, material: readonly Material[]): Finding[] {
  const known = material.map(({ id }) => id)
  const unknown = source_ids.filter((id) => !known.includes(id))
  if (unknown.length > 0)
    return [
      {
        code: 'unknown_source',
        ...toMessage({
          en: `There is no source ${JSON.stringify(unknown.join(', '))}.`,
          tr: `${JSON.stringify(unknown.join(', '))} diye bir kaynak yok.`,
        }),
      },
    ]
  // Otherwise the same entry would be written about again.
  const isEntries = material.length > 0 && material.every(({ entry_id }) => entry_id !== null)
  if (isEntries && source_ids.length === 0)
    return [
      {
        code: 'unknown_source',
        ...toMessage({
          en: 'Write about a source, and name its id in source_ids.',
          tr: 'Metin, hangi kaynağı kullandığını söylemiyor.',
        }),
      },
    ]
  return []
}

/** Lists the rules that a draft breaks. Code, not a model, so that no text can talk it out of them. */
export function findingsOf(draft: Draft, context: CheckContext): Finding[] {
  const { content, variants, claims, image_alt, topic } = draft
  const { material } = context
  const used = usedBy(draft, material)
  const texts = [{ network: null, content }, ...variants]
  const all = [...texts.map((each) => each.content), image_alt ?? '', topic].join('\n')
  const findings: Finding[] = []
  const add = (code: FindingCode, text: Text) => findings.push({ code, ...toMessage(text) })

  for (const { network, content } of texts) {
    const problem = context.lengthProblem(network, content)
    if (problem) findings.push({ code: 'too_long', ...problem })
  }
  const links = [...used.flatMap(({ url }) => url ?? []), ...context.allowed_links]
  for (const host of hostsIn(all, links))
    if (!isAllowedHost(host, context.allowed_hosts))
      add('link_not_allowed', { en: `Links to ${host} are not allowed.`, tr: `${host} bağlantılarına izin yok.` })
  const hasPhrase = phraseFinder(all, draft.language)
  for (const word of context.forbidden_words)
    if (hasPhrase(word))
      add('forbidden_word', {
        en: `The text must not say ${JSON.stringify(word)}.`,
        tr: `Metinde ${JSON.stringify(word)} geçmemeli.`,
      })
  if (SECRETS.test(all))
    add('secret', { en: 'The text contains what looks like a key.', tr: 'Metinde anahtara benzeyen bir şey var.' })
  if (all.includes(context.canary) || all.includes(context.boundary) || leaks(all, context.instructions))
    add('prompt_leak', { en: 'The text repeats the instructions.', tr: 'Metin yönergeleri tekrarlıyor.' })
  findings.push(...repetition(content, context.recent))
  const sources = [...used, ...material.filter(({ is_own }) => is_own)]
  const known = numbersIn([context.setup, ...sources.flatMap(({ title, text }) => [title, text])])
  const figures = (all.match(FIGURES) ?? []).filter((figure) => !known.has(digitsOf(figure)))
  for (const claim of [...claims, ...new Set(figures)])
    add('unsourced_claim', { en: `Nothing confirms this: ${claim}`, tr: `Bunu doğrulayan bir şey yok: ${claim}` })
  const mentions = (all.match(MENTIONS) ?? []).filter((mention) => !context.setup.includes(mention))
  for (const mention of new Set(mentions))
    add('mention', { en: `The text mentions ${mention}.`, tr: `Metin ${mention} hesabını anıyor.` })
  if ((all.match(HASHTAGS) ?? []).length > MAX_HASHTAGS)
    add('mention', {
      en: `The text has more than ${MAX_HASHTAGS} hashtags.`,
      tr: `Metinde ${MAX_HASHTAGS} etiketten fazlası var.`,
    })
  findings.push(...sourceFindings(draft, material), ...trustFindings(material))
  return findings
}
