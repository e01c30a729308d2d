import { countCharacters, type LengthRules } from '../../../../shared/text/counting.ts'
import { withMentionNames } from '../../../../shared/text/mentions.ts'
import { type FieldError, toMessage } from '../../../errors.ts'
import { compileValidator, fieldErrors } from '../../../lib/http/schema/validation.ts'
import type { Text } from '../../../lib/language.ts'
import { mediaProblems } from '../../media/files/client/media-problems.ts'
import type { AccountLimits, Capabilities } from '../../networks/capabilities.ts'
import { networkName, networkNames } from '../../networks/network.ts'
import { optionsSchema } from '../../networks/options.ts'
import { capabilitiesOf, networkOf, networks } from '../../networks/registry.ts'
import type { MediaById } from '../record/post-media.ts'
import type { StoredPart } from '../record/posts.schema.ts'

const optionValidators = new Map(
  networks.map((network) => [network.id, compileValidator(optionsSchema(network.options), 'body')]),
)

type Parts = {
  content: string
  media_ids: string[]
  thread: readonly StoredPart[]
  first_comment: string | null
}

type CheckedTarget = { [Name in keyof Parts]: Parts[Name] | null } & {
  network: string
  options: Record<string, unknown>
  status: string
  account_status: string
  account_limits: AccountLimits
}

type Checked = Parts & { media: MediaById; targets: readonly CheckedTarget[] }

/** Counts each text once for each way of counting: one text often goes to many accounts, and counting is slow. */
export function createCounter() {
  const lengths = new Map<string, number>()
  return (text: string, { counting, link_length, short_mentions }: LengthRules) => {
    const key = `${counting} ${link_length} ${short_mentions} ${text}`
    const length = lengths.get(key) ?? countCharacters(text, { counting, link_length, short_mentions })
    lengths.set(key, length)
    return length
  }
}
type Counter = ReturnType<typeof createCounter>

/** Lists problems that prevent publishing on targets still to be published, one per field to fix. */
export function publishingProblems(post: Checked, listed: 'targets' | 'account_ids'): FieldError[] {
  if (post.targets.length === 0)
    return [
      {
        pointer: `/${listed}`,
        code: 'required',
        ...toMessage({ en: 'Choose at least one account.', tr: 'En az bir hesap seçin.' }),
      },
    ]
  const count = createCounter()
  return post.targets.flatMap((target, index): FieldError[] => {
    if (target.status === 'published' || target.status === 'unpublished') return []
    const errors = [...partProblems(post, target, { index, count }), ...missingOptions(target, index)]
    if (target.account_status !== 'connected')
      errors.push({
        pointer: `/${listed}/${index}`,
        code: 'invalid',
        ...toMessage(
          target.account_status === 'paused'
            ? {
                en: 'This account is paused. Resume it, or choose another.',
                tr: 'Bu hesap duraklatılmış. Sürdürün ya da başka bir hesap seçin.',
              }
            : { en: 'This account must be connected again.', tr: 'Bu hesap yeniden bağlanmalı.' },
        ),
      })
    return errors
  })
}

/** Lists problems of the parts of a target, each at the field that has it: of the target or of the post. */
function partProblems(post: Checked, target: CheckedTarget, { index, count }: { index: number; count: Counter }) {
  const name = networkNames(networkOf(target))
  const capabilities = capabilitiesOf({ ...target, limits: target.account_limits })
  const pointerTo = (field: keyof Parts, rest = '') =>
    target[field] === null ? `/${field}${rest}` : `/targets/${index}/${field}${rest}`
  const added = addedLength(target, capabilities, count)
  const problemsOf = (text: string, ids: readonly string[], pointers: { text: string; media: string }) => {
    const files = ids.flatMap((id) => post.media.get(id) ?? [])
    const hasMedia = files.length > 0
    const wrongTexts = textProblems(text, { pointer: pointers.text, name, capabilities, count, hasMedia, added })
    const wrongFiles = mediaProblems(files, capabilities.media).map(
      ({ index: place, code, text }): FieldError => ({
        pointer: place === null ? pointers.media : `${pointers.media}/${place}`,
        code: code === 'file_required' ? 'required' : 'invalid',
        ...toMessage({ en: `${name.en}: ${text.en}`, tr: `${name.tr}: ${text.tr}` }),
      }),
    )
    return [...wrongTexts, ...wrongFiles]
  }

  const thread = target.thread ?? post.thread
  const first_comment = target.first_comment ?? post.first_comment
  const errors = problemsOf(target.content ?? post.content, target.media_ids ?? post.media_ids, {
    text: pointerTo('content'),
    media: pointerTo('media_ids'),
  })
  if (thread.length >= capabilities.max_parts && thread.length > 0)
    errors.push({
      pointer: pointerTo('thread'),
      code: 'too_long',
      ...toMessage(
        capabilities.max_parts === 1
          ? {
              en: `${name.en} does not support threads. Publish one text there.`,
              tr: `${name.tr} dizi desteklemiyor. Orada tek bir metin yayımlayın.`,
            }
          : {
              en: `${name.en} allows at most ${capabilities.max_parts} parts; this thread has ${thread.length + 1}.`,
              tr: `${name.tr} en çok ${capabilities.max_parts} bölüme izin veriyor; bu dizide ${thread.length + 1} bölüm var.`,
            },
      ),
    })
  for (const [part, { content, media_ids }] of thread.entries()) {
    const pointer = pointerTo('thread', `/${part}`)
    errors.push(...problemsOf(content, media_ids, { text: `${pointer}/content`, media: `${pointer}/media_ids` }))
  }
  if (first_comment === null) return errors
  const pointer = pointerTo('first_comment')
  if (!capabilities.first_comment)
    return [
      ...errors,
      {
        pointer,
        code: 'invalid' as const,
        ...toMessage({ en: `${name.en} takes no first comment.`, tr: `${name.tr} ilk yorumu desteklemiyor.` }),
      },
    ]
  return [...errors, ...textProblems(first_comment, { pointer, name, capabilities, count, added })]
}

/** Texts of the settings that are part of what the network counts, such as a content warning. */
const countedOptions = ({ network, options }: Pick<CheckedTarget, 'network' | 'options'>) =>
  networkOf({ network })
    .options.flatMap((field) => ('is_counted' in field ? String(options[field.key] ?? '') : []))
    .join('')

/** Length of the settings that a network counts with the text: as they are written, links and mentions too. */
export const addedLength = (
  target: Pick<CheckedTarget, 'network' | 'options'>,
  capabilities: Capabilities,
  count: Counter = countCharacters,
) => count(countedOptions(target), { ...capabilities, link_length: null, short_mentions: false })

type TextCheck = {
  pointer: string
  /** Name of the network. */
  name: Text
  capabilities: Capabilities
  count?: Counter
  hasMedia?: boolean
  /** Length of the settings that are counted with the text. */
  added?: number
}

/** Maximum length of a text, which can be less beside files. */
export const maxLengthOf = (
  { max_length, max_length_with_media }: Pick<Capabilities, 'max_length' | 'max_length_with_media'>,
  hasMedia: boolean,
) => (hasMedia ? (max_length_with_media ?? max_length) : max_length)

/** Whether readers would see nothing, as of a text of only spaces of no width. */
const isBlank = (text: string) => /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text)

export function textProblems(
  text: string,
  { pointer, name, capabilities, count = countCharacters, hasMedia = false, added = 0 }: TextCheck,
): FieldError[] {
  const shown = withMentionNames(text)
  if (isBlank(shown))
    return hasMedia
      ? []
      : [
          {
            pointer,
            code: 'too_short',
            ...toMessage({ en: `${name.en} requires a text.`, tr: `${name.tr} için bir metin gerekli.` }),
          },
        ]
  const { max_bytes } = capabilities
  const max_length = maxLengthOf(capabilities, hasMedia)
  const tooLong = (text: Text): FieldError[] => [{ pointer, code: 'too_long', ...toMessage(text) }]
  if (max_length === 0)
    return tooLong({
      en: `${name.en} takes no text with these settings. Remove it for this account.`,
      tr: `${name.tr} bu ayarlarla metin almıyor. Bu hesap için metni kaldırın.`,
    })
  const length = count(text, capabilities) + added
  if (length > max_length)
    return tooLong(
      hasMedia && capabilities.max_length_with_media !== null
        ? {
            en: `${name.en} allows at most ${max_length} characters beside files; this text has ${length}.`,
            tr: `${name.tr} dosyaların yanında en çok ${max_length} karaktere izin veriyor; bu metin ${length} karakter.`,
          }
        : {
            en: `${name.en} allows at most ${max_length} characters; this text has ${length}.`,
            tr: `${name.tr} en çok ${max_length} karaktere izin veriyor; bu metin ${length} karakter.`,
          },
    )
  const bytes = Buffer.byteLength(shown)
  if (max_bytes === null || bytes <= max_bytes) return []
  return tooLong({
    en: `${name.en} allows at most ${max_bytes} bytes; this text has ${bytes}. Emoji and some scripts take several bytes for each character.`,
    tr: `${name.tr} en çok ${max_bytes} bayta izin veriyor; bu metin ${bytes} bayt. Emojilerin ve bazı alfabelerin her karakteri birkaç bayttır.`,
  })
}

/** Lists the settings that a network needs and the target lacks. */
const missingOptions = ({ network, options }: CheckedTarget, index: number): FieldError[] =>
  networkOf({ network })
    .options.filter(({ key, required }) => required && (options[key] === undefined || options[key] === ''))
    .map(({ key, label }) => ({
      pointer: `/targets/${index}/options/${key}`,
      code: 'required',
      ...toMessage({
        en: `${networkName(networkOf({ network }), 'en')} needs this: ${label.en}.`,
        tr: `${networkName(networkOf({ network }), 'tr')} için bu gerekli: ${label.tr}.`,
      }),
    }))

/** Lists options that the target's network does not accept. */
export function optionProblems(
  target: { network: string; options: Record<string, unknown> },
  index: number,
): FieldError[] {
  const validate = optionValidators.get(target.network)
  if (!validate || validate(target.options)) return []
  return fieldErrors(validate.errors ?? []).map((error) => ({
    ...error,
    pointer: `/targets/${index}/options${error.pointer}`,
  }))
}
