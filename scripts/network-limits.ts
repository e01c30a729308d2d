import type { FileRules, MediaRules } from '../server/modules/media/media-rules.ts'
import type { Capabilities } from '../server/modules/networks/capabilities.ts'
import type { Network } from '../server/modules/networks/network.ts'
import type { OptionField } from '../server/modules/networks/options.ts'
import type { Pricing } from '../server/modules/networks/pricing.ts'

const number = (value: number) => value.toLocaleString('en')
const yesNo = (value: boolean) => (value ? 'yes' : 'no')

/** Bytes as the networks state them, in powers of ten. */
const size = (bytes: number) =>
  bytes >= 1e9 ? `${number(bytes / 1e9)} GB` : bytes >= 1e6 ? `${number(bytes / 1e6)} MB` : `${number(bytes / 1e3)} kB`

const units = {
  graphemes: 'characters as readers see them',
  code_points: 'Unicode characters',
  utf16: 'UTF-16 code units, so most emoji are two',
  weighted: 'characters; an emoji, or one of Chinese, Japanese or Korean, is two',
  emoji_bytes: 'characters; an emoji is as many as its bytes in UTF-8',
} as const

function textRows(capabilities: Capabilities) {
  const { counting, max_length, max_length_with_media, max_bytes, link_length, short_mentions } = capabilities
  return [
    ['Text', max_length === 0 ? 'none' : `${number(max_length)}, counted in ${units[counting]}`],
    max_length_with_media !== null && ['Text beside files', number(max_length_with_media)],
    max_bytes !== null && ['Text in bytes', number(max_bytes)],
    link_length !== null && ['A link counts as', `${link_length}`],
    short_mentions && ['`@name@host` counts as', '`@name`'],
  ]
}

const nouns = { image: 'Images', gif: 'Animated images', video: 'Videos', document: 'Documents' } as const
const kinds = ['image', 'gif', 'video', 'document'] as const

/** Seconds that a video can have. */
function durationOf({ min_duration_s, max_duration_s }: FileRules) {
  if (max_duration_s === undefined) return undefined
  return min_duration_s === undefined
    ? `${number(max_duration_s)} s`
    : `${min_duration_s} to ${number(max_duration_s)} s`
}

function mediaRows(media: MediaRules | null) {
  if (!media) return [['Files', 'none']]
  const perKind = kinds.map((kind) => {
    const rules = media.kinds[kind]
    if (!rules) return [nouns[kind], 'no']
    const limits = [
      `up to ${rules.max}`,
      size(rules.max_bytes),
      durationOf(rules),
      rules.mimes.map((mime) => mime.replace(/^\w+\//, '')).join(', '),
    ]
    return [nouns[kind], limits.filter(Boolean).join('; ')]
  })
  return [
    ...perKind,
    ['Files together', `up to ${media.max}${media.mixed ? '' : ', of one kind'}`],
    ['Alternative text', media.max_alt_length === null ? 'no' : `up to ${number(media.max_alt_length)} characters`],
  ]
}

const optionRow = ({ key, label, help, required, ...field }: OptionField) =>
  `| \`${key}\` | ${field.type}${required ? ', required' : ''} | ${(help?.en ?? label.en).replace(/[^.]$/, '$&.')}${field.type === 'select' ? ` One of ${field.choices.map(({ value }) => `\`${value}\``).join(', ')}.` : ''} |`

const numbersRows = ({ metrics }: Network) => [
  ['Numbers of a post', metrics?.posts.join(', ') || 'none'],
  ['Numbers of the account', metrics?.account.join(', ') || 'none'],
]

const tableOf = (rows: readonly (readonly string[] | false)[]) =>
  ['| Limit | |', '|---|---|', ...rows.flatMap((row) => (row ? [`| ${row.join(' | ')} |`] : []))].join('\n')

function limitRows(capabilities: Capabilities) {
  const { media, max_parts, first_comment, edit, delete: remove } = capabilities
  return [
    ...textRows(capabilities),
    ...mediaRows(media),
    ['Thread', max_parts > 1 ? `up to ${max_parts} parts` : 'no'],
    ['First comment', yesNo(first_comment)],
    ['Link card', yesNo(capabilities.link_card)],
    ['Edit a published post', yesNo(edit)],
    ['Delete a published post', yesNo(remove)],
  ]
}

/** The limits that a choice of an option changes. */
function choiceTables({ capabilities, options }: Network) {
  const usual = limitRows(capabilities).map(String)
  return options
    .flatMap((field) => (field.type === 'select' ? field.choices.map((choice) => ({ key: field.key, ...choice })) : []))
    .flatMap(({ key, value, limits }) => {
      if (!limits) return []
      const changed = limitRows({ ...capabilities, ...limits }).filter((row) => !usual.includes(String(row)))
      return ['', `With \`${key}\` set to \`${value}\`:`, '', tableOf(changed)]
    })
}

const dollars = (micros: number) =>
  (micros / 1e6).toLocaleString('en', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: 6,
  })

const priceNames = {
  post: 'A post, a part of a thread, a first comment',
  post_with_link: 'The same with a link',
  alt_text: 'An alternative text',
  read: 'A post that is looked up',
  delete: 'Deleting a post',
} as const
const priced = ['post', 'post_with_link', 'alt_text', 'read', 'delete'] as const

const priceTable = (pricing: Pricing) => [
  '',
  `| [Price](${pricing.source}) on ${pricing.as_of} | |`,
  '|---|---|',
  ...priced.map((unit) => `| ${priceNames[unit]} | ${dollars(pricing[unit])} |`),
]

/** The limits, prices and settings of a network as Markdown tables. */
export function describeCapabilities(network: Network) {
  const { capabilities, options, pricing } = network
  const settings =
    options.length === 0 ? [] : ['', '| Setting | Type | Meaning |', '|---|---|---|', ...options.map(optionRow)]
  return `${[tableOf([...limitRows(capabilities), ...numbersRows(network)]), ...(pricing ? priceTable(pricing) : []), ...settings, ...choiceTables(network)].join('\n')}\n`
}
