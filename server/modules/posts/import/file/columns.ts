import { networks } from '../../../networks/registry.ts'
import { isDateCell } from './dates.ts'

export const importFormats = ['meydan', 'buffer', 'publer', 'metricool', 'hootsuite', 'socialpilot', 'other'] as const
type ImportFormat = (typeof importFormats)[number]

/** Meanings of a column. */
export const importFields = [
  'ignore',
  'date',
  'time',
  'timezone',
  'accounts',
  'network',
  'text',
  'link',
  'media',
  'alt',
  'first_comment',
  'labels',
  'status',
] as const
export type ImportField = (typeof importFields)[number]

/** Fields that several columns can be. */
export const repeatable: readonly ImportField[] = ['ignore', 'network', 'media', 'alt', 'labels']

/** Columns of the template, which an export also has. */
export const templateColumns = [
  'date',
  'time',
  'timezone',
  'accounts',
  'text',
  'media',
  'alt',
  'first_comment',
  'labels',
  'status',
] as const satisfies readonly ImportField[]

/** A name without case, accents and punctuation. */
export const plainName = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replace(/[^a-z0-9]/g, '')

const names: Record<Exclude<ImportField, 'ignore' | 'network'>, RegExp> = {
  date: /^(?:date|dateandtime|datetime|postingtime|postingdate|scheduled(?:time|date|at|for)|schedule(?:time|date)?|postatspecifictime(?:yyyymmddhhmmss)?|publishdate|tarih|tarihsaat|tarihvesaat|yayin(?:tarihi|zamani)|zaman)$/,
  time: /^(?:time|hour|saat|yayinsaati)$/,
  timezone: /^(?:timezone|tz|saatdilimi|zamandilimi)$/,
  accounts: /^(?:accounts?|profiles?|channels?|pages?|platforms?|hesap(?:lar|i)?|profil(?:ler)?|kanal(?:lar)?|sayfa)$/,
  text: /^(?:text|content|posts?|postcontent|posttext|caption|message|body|metin|icerik|gonderi(?:metni)?|mesaj|aciklama)$/,
  link: /^(?:links?|url|baglanti|link ?url)$/,
  media:
    /^(?:media|media(?:urls?|files?)|images?|image(?:urls?)|pictures?|picture(?:urls?)\d*|photos?|videos?|videourls?|gifurls?|gorsel(?:ler)?(?:url)?|medya|dosya(?:lar)?|resim(?:ler)?|foto(?:graf)?)$/,
  alt: /^(?:alt|alttexts?|alttextpicture\d*|imagealttext|altmetin|alternatifmetin|gorselaciklamasi)$/,
  first_comment: /^(?:firstcomments?|firstcommenttext|comments?|ilkyorum|yorum)$/,
  labels: /^(?:labels?|tags?|hashtags?|etiket(?:ler)?|kategori)$/,
  status: /^(?:status|state|draft|isdraft|durum|taslak)$/,
}

/** The network that a name stands for, such as the `X` of `Twitter/X`. */
export function networkNamed(name: string) {
  const parts = [name, ...name.split(/[/|]/)].map(plainName)
  return networks.find((network) => parts.includes(plainName(network.id)) || parts.includes(plainName(network.name)))
}

/** The first of the columns with a field that only one can have is that field. */
function fieldsOf(header: readonly string[], fieldOf: (name: string) => ImportField) {
  const taken = new Set<ImportField>()
  return header.map((name): ImportField => {
    const field = fieldOf(name)
    if (taken.has(field) && !repeatable.includes(field)) return 'ignore'
    taken.add(field)
    return field
  })
}

const fieldNamed = (name: string): ImportField => {
  const plain = plainName(name)
  const [found] = Object.entries(names).find(([, pattern]) => pattern.test(plain)) ?? []
  return (found as keyof typeof names | undefined) ?? 'ignore'
}

/** Names that only the files of one tool have together. */
const headers: [format: ImportFormat, names: string[]][] = [
  ['meydan', ['date', 'time', 'timezone', 'accounts', 'text', 'status']],
  ['metricool', ['text', 'date', 'time', 'draft']],
  ['buffer', ['text', 'imageurl', 'tags', 'postingtime']],
  ['publer', ['date', 'text', 'mediaurls', 'labels']],
  ['publer', ['date', 'message', 'mediaurls', 'labels']],
  ['hootsuite', ['date', 'message', 'link']],
]

/** Columns of the tools whose files have no header, by their position. */
const byPosition = {
  hootsuite: ['date', 'text', 'link'],
  socialpilot: ['text', 'media', 'date', 'accounts', 'first_comment', 'labels', 'link'],
} satisfies Partial<Record<ImportFormat, ImportField[]>>

type Recognized = { format: ImportFormat; hasHeader: boolean; columns: string[]; fields: ImportField[] }

/** A name for each column, also where the header has none. */
const namedColumns = (header: readonly string[]) =>
  header.map((name, index) => name.replaceAll(/\s+/g, ' ').trim().slice(0, 80) || `Column ${index + 1}`)

/** Recognizes the tool that wrote a file, and what its columns are, by its first row. */
export function recognizeColumns(first: readonly string[]): Recognized {
  const dates = first.map(isDateCell)
  if (dates.includes(true)) {
    const format = dates[0] ? 'hootsuite' : dates[2] ? 'socialpilot' : 'other'
    const known: readonly ImportField[] = format === 'other' ? [] : byPosition[format]
    return {
      format,
      hasHeader: false,
      columns: first.map((_, index) => `Column ${index + 1}`),
      fields: first.map((_, index) => known[index] ?? 'ignore'),
    }
  }
  const plain = first.map(plainName)
  const [format] = headers.find(([, names]) => names.every((name) => plain.includes(name))) ?? ['other' as const]
  // One column for each network, with `yes` where a row goes.
  const asNetwork = format === 'metricool' ? networkNamed : () => undefined
  return {
    format,
    hasHeader: true,
    columns: namedColumns(first),
    fields: fieldsOf(first, (name) => (asNetwork(name) ? 'network' : fieldNamed(name))),
  }
}
