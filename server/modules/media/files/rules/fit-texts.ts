import type { Language, Text } from '../../../../lib/language.ts'
import type { FileRules, MediaFacts } from '../../media-rules.ts'
import { inMegabytes } from './refusals.ts'
import type { Size } from './sizes.ts'

/** Kinds of files within a sentence. In Turkish a number is followed by the singular, which is enough here. */
export const nouns = {
  image: { en: 'images', tr: 'görsel' },
  gif: { en: 'animated images', tr: 'hareketli görsel' },
  video: { en: 'videos', tr: 'video' },
  document: { en: 'documents', tr: 'belge' },
} as const

const formats: Record<string, string> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/apng': 'animated PNG',
  'image/webp': 'WebP',
  'image/avif': 'AVIF',
  'image/gif': 'GIF',
  'image/heic': 'HEIC',
  'video/mp4': 'MP4',
  'video/quicktime': 'MOV',
  'video/webm': 'WebM',
  'application/pdf': 'PDF',
}
const formatOf = (mime: string) => formats[mime] ?? mime
const capitalised = (text: string, language: Language) => text.charAt(0).toLocaleUpperCase(language) + text.slice(1)
const number = (value: number, language: Language) => value.toLocaleString(language)

function sizeLimits({ max_width, max_height, max_pixels, max_width_plus_height }: FileRules, language: Language) {
  const of = (value: number) => number(Math.floor(value), language)
  const parts: (false | Text)[] = [
    max_width !== undefined && { en: `a width of ${of(max_width)}`, tr: `genişlik ${of(max_width)}` },
    max_height !== undefined && { en: `a height of ${of(max_height)}`, tr: `yükseklik ${of(max_height)}` },
    max_pixels !== undefined && { en: `${of(max_pixels)} pixels in all`, tr: `toplam ${of(max_pixels)} piksel` },
    max_width_plus_height !== undefined && {
      en: `${of(max_width_plus_height)} for width plus height`,
      tr: `genişlik ile yüksekliğin toplamı ${of(max_width_plus_height)}`,
    },
  ]
  return parts.flatMap((part) => (part ? part[language] : [])).join(language === 'tr' ? ' ve ' : ' and ')
}

export const tooManyBytesText = ({ bytes }: MediaFacts, { max_bytes }: FileRules): Text => ({
  en: `The file has ${inMegabytes(bytes)}; at most ${inMegabytes(max_bytes, Math.floor)} are accepted.`,
  tr: `Dosya ${inMegabytes(bytes, Math.ceil, 'tr')}; en çok ${inMegabytes(max_bytes, Math.floor, 'tr')} olabilir.`,
})

export function tooManyPixelsText({ width, height }: Size, rules: FileRules): Text {
  const pixels = (language: Language) => `${number(width, language)} × ${number(height, language)}`
  return {
    en: `The file has ${pixels('en')} pixels; at most ${sizeLimits(rules, 'en')} are accepted.`,
    tr: `Dosya ${pixels('tr')} piksel; en çok ${sizeLimits(rules, 'tr')} olabilir.`,
  }
}

export function wrongFormatText({ kind, mime }: MediaFacts, { mimes }: FileRules): Text {
  const accepted = mimes.map(formatOf).join(', ')
  return {
    en: `${formatOf(mime)} ${nouns[kind].en} are not accepted here and cannot be converted without a loss that people see. Accepted: ${accepted}.`,
    tr: `Burada ${mime === 'image/apng' ? 'hareketli PNG' : formatOf(mime)} kabul edilmiyor ve gözle görülür bir kayıp olmadan dönüştürülemiyor. Kabul edilenler: ${accepted}.`,
  }
}

/** `limit`: the number of seconds that the file exceeds, or does not reach. */
export function durationText(duration: number, limit: number): Text {
  const seconds = (value: number, language: Language) => number(Number(value.toFixed(1)), language)
  const [en, tr] = duration > limit ? ['at most', 'en çok'] : ['at least', 'en az']
  return {
    en: `It lasts ${seconds(duration, 'en')} s; ${en} ${seconds(limit, 'en')} s are ${duration > limit ? 'accepted' : 'needed'}.`,
    tr: `Süresi ${seconds(duration, 'tr')} sn; ${tr} ${seconds(limit, 'tr')} sn olmalı.`,
  }
}

export function aspectText({ width, height }: Size, { min_aspect = 0, max_aspect }: FileRules): Text {
  const ratio = (value: number, language: Language) =>
    value.toLocaleString(language, { maximumFractionDigits: 3, useGrouping: false })
  const range = (language: Language, least: string, most: string) =>
    [
      min_aspect > 0 && `${least} ${ratio(min_aspect, language)}`,
      max_aspect !== undefined && `${most} ${ratio(max_aspect, language)}`,
    ].filter(Boolean)
  return {
    en: `Its width divided by its height is ${ratio(width / height, 'en')}; accepted is ${range('en', 'at least', 'at most').join(' and ')}. Crop it.`,
    tr: `Genişliğinin yüksekliğine oranı ${ratio(width / height, 'tr')}; ${range('tr', 'en az', 'en çok').join(' ve ')} olmalı. Kırpın.`,
  }
}

export const kindText = (kind: MediaFacts['kind']): Text => ({
  en: `${capitalised(nouns[kind].en, 'en')} are not accepted.`,
  tr: `${capitalised(nouns[kind].tr, 'tr')} kabul edilmiyor.`,
})

export const withFfmpegText = ({ en, tr }: Text): Text => ({
  en: `${en} This server could convert it if ffmpeg were installed.`,
  tr: `${tr} ffmpeg kurulu olsaydı bu sunucu onu dönüştürebilirdi.`,
})
