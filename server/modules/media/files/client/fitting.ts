import type { Text } from '../../../../lib/language.ts'
import type { FileRules, MediaFacts, MediaRules } from '../../media-rules.ts'
import {
  aspectText,
  durationText,
  kindText,
  tooManyBytesText,
  tooManyPixelsText,
  withFfmpegText,
  wrongFormatText,
} from '../rules/fit-texts.ts'
import type { Conversion, Made } from '../rules/protocol.ts'
import {
  encodable,
  hasAllowedAspect,
  isAllowed,
  rulesForFormat,
  type Size,
  sizeForBytes,
  sizeWithin,
} from '../rules/sizes.ts'
import { limits } from '../rules/upload-limits.ts'
import { inDecoderProcess, pixelsOf, type Requester } from './decoder-process.ts'
import { ffmpegPath, transcode } from './video.ts'

type FitCode =
  | 'kind_not_accepted'
  | 'format_not_accepted'
  | 'file_too_large'
  | 'dimensions_too_large'
  | 'aspect_ratio'
  | 'too_short'
  | 'too_long'

/** Reason why a file cannot go to a network, with figures. */
type Refusal = { how: 'refused'; code: FitCode; text: Text }

type Fit = { how: 'unchanged' } | Conversion | Refusal

/** Fewer are not promised to an image that had more: a smaller one loses what people want to see. */
const LEAST_PIXELS = 250_000
/** Animations become smaller by at most this factor, in bytes. */
const MOST_REDUCTION = 4
/** Limits of an animation: frames in a second, and bytes of a frame of 16 × 16 pixels with its colours. */
const MOST_FRAMES_PER_SECOND = 50
const LEAST_FRAME_BYTES = 1300
/** A longer video takes longer to convert than a post can wait. */
const LONGEST_TRANSCODED_S = 900
/** Bits in a second below which a video looks bad at any size. */
const LEAST_BITRATE = 400_000

const refusal = (code: FitCode, text: Text): Refusal => ({ how: 'refused', code, text })

const tooManyBytes = (facts: MediaFacts, rules: FileRules) => refusal('file_too_large', tooManyBytesText(facts, rules))

const tooManyPixels = (size: Size, rules: FileRules) => refusal('dimensions_too_large', tooManyPixelsText(size, rules))

const wrongFormat = (facts: MediaFacts, rules: FileRules) =>
  refusal('format_not_accepted', wrongFormatText(facts, rules))

/** Refuses a file for its duration or proportions, which no conversion changes. */
function unchangeable({ width, height, duration_s, kind }: MediaFacts, rules: FileRules): Refusal | undefined {
  const { min_duration_s = 0, max_duration_s = Number.POSITIVE_INFINITY } = rules
  if (duration_s !== null && duration_s > max_duration_s)
    return refusal('too_long', durationText(duration_s, max_duration_s))
  if (duration_s !== null && kind === 'video' && duration_s < min_duration_s)
    return refusal('too_short', durationText(duration_s, min_duration_s))
  if (width === null || height === null || hasAllowedAspect({ width, height }, rules)) return undefined
  return refusal('aspect_ratio', aspectText({ width, height }, rules))
}

/** Formats that show the image as it looks, the best first. */
function targetsOf({ mime, bytes, opaque }: MediaFacts, { mimes, max_bytes }: FileRules) {
  const able = mimes.filter((target) => encodable.includes(target) && (target !== 'image/jpeg' || opaque === true))
  // Only fewer pixels make a PNG smaller. JPEG and WebP keep them.
  const isLargePng = mime === 'image/png' && bytes > max_bytes
  const rank = (target: string) => {
    if (isLargePng && target === 'image/png') return 2
    return target === mime ? 0 : 1
  }
  return able.toSorted((a, b) => rank(a) - rank(b))
}

const tooLarge = (facts: MediaFacts, size: Size, rules: FileRules) =>
  isAllowed(size, rules) ? tooManyBytes(facts, rules) : tooManyPixels(size, rules)

/** The largest copy in a format. Undefined if the rules allow none. */
function conversionTo(mime: string, facts: MediaFacts, size: Size, rules: FileRules): Conversion | undefined {
  const copyRules = rulesForFormat(rules, mime)
  const largest = sizeWithin(size, copyRules)
  return largest && { how: 'converted', mime, ...largest, facts, rules: copyRules }
}

function fitImage(facts: MediaFacts, size: Size, rules: FileRules): Fit {
  const targets = targetsOf(facts, rules)
  if (targets.length === 0)
    return rules.mimes.includes(facts.mime) ? tooLarge(facts, size, rules) : wrongFormat(facts, rules)
  const largest = sizeWithin(size, rules)
  if (!largest) return tooManyPixels(size, rules)
  const least = Math.min(LEAST_PIXELS, largest.width * largest.height)
  const mime = targets.find((target) => {
    const sure = sizeForBytes(size, rulesForFormat(rules, target), target)
    return sure !== undefined && sure.width * sure.height >= least
  })
  return (mime && conversionTo(mime, facts, size, rules)) || tooManyBytes(facts, rules)
}

/** An animation stays one. WebP keeps all that a GIF shows; a GIF has too few colours for a WebP. */
function fitAnimation(facts: MediaFacts, size: Size, rules: FileRules): Fit {
  const able =
    facts.mime === 'image/gif' ? ['image/gif', 'image/webp'] : ['image/webp'].filter((mime) => mime === facts.mime)
  const mime = able.find((target) => rules.mimes.includes(target))
  if (!mime) return rules.mimes.includes(facts.mime) ? tooLarge(facts, size, rules) : wrongFormat(facts, rules)
  const conversion = conversionTo(mime, facts, size, rules)
  if (!conversion) return tooManyPixels(size, rules)
  const certain = (facts.duration_s ?? 0) * MOST_FRAMES_PER_SECOND * LEAST_FRAME_BYTES
  if (rules.max_bytes < certain || facts.bytes > MOST_REDUCTION * rules.max_bytes) return tooManyBytes(facts, rules)
  return conversion
}

const even = (side: number) => Math.max(2, side - (side % 2))

/** The codec of MP4 videos needs even sides. */
function evenSizeWithin(size: Size, rules: FileRules): Size | undefined {
  const largest = sizeWithin(size, rules)
  const rounded = largest && { width: even(largest.width), height: even(largest.height) }
  return rounded && isAllowed(rounded, rules) ? rounded : undefined
}

function fitVideo(facts: MediaFacts, size: Size, rules: FileRules, canTranscode: boolean): Fit {
  const isAccepted = rules.mimes.includes(facts.mime)
  const refused = isAccepted ? tooLarge(facts, size, rules) : wrongFormat(facts, rules)
  const seconds = facts.duration_s ?? Number.POSITIVE_INFINITY
  const bitrate = (rules.max_bytes * 8) / seconds
  const fitting = evenSizeWithin(size, rules)
  const isPossible = rules.mimes.includes('video/mp4') && fitting && seconds <= LONGEST_TRANSCODED_S
  if (!isPossible || bitrate < LEAST_BITRATE) return refused
  if (canTranscode) return { how: 'converted', mime: 'video/mp4', ...fitting, facts, rules }
  return { ...refused, text: withFfmpegText(refused.text) }
}

/**
 * Decides how a file is made to fit: as it is, converted without a loss that people see, or not at all. `makeFit` can
 * make every conversion that this returns. `canTranscode`: whether videos can be converted; found out if not given.
 */
export function fitOf(facts: MediaFacts, { kinds }: MediaRules, canTranscode?: boolean): Fit {
  const { kind, mime, bytes, width, height } = facts
  const rules = kinds[kind]
  if (!rules) return refusal('kind_not_accepted', kindText(kind))
  const unchangeableReason = unchangeable(facts, rules)
  if (unchangeableReason) return unchangeableReason
  const size = width !== null && height !== null ? { width, height } : undefined
  if (rules.mimes.includes(mime) && bytes <= rules.max_bytes && (!size || isAllowed(size, rules)))
    return { how: 'unchanged' }
  if (!size) return rules.mimes.includes(mime) ? tooManyBytes(facts, rules) : wrongFormat(facts, rules)
  if (kind === 'image') return fitImage(facts, size, rules)
  if (kind === 'gif') return fitAnimation(facts, size, rules)
  return fitVideo(facts, size, rules, canTranscode ?? ffmpegPath() !== undefined)
}

/** Pixels of all frames. How many an animation has is not known, so it may have as many as any. */
const pixelsOfAll = (facts: MediaFacts) => (facts.kind === 'gif' ? limits.pixels : pixelsOf(facts))

/** Writes the converted file beside `path`. The caller deletes it. */
export const makeFit = (requester: Requester, path: string, conversion: Conversion): Promise<Made> =>
  conversion.facts.kind === 'video'
    ? transcode(requester, path, conversion)
    : inDecoderProcess(requester, pixelsOfAll(conversion.facts), 'convert', path, conversion)
