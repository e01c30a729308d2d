/** `gif`: any animated image. */
type MediaKind = 'image' | 'gif' | 'video' | 'document'

/** Facts about a file, by which it is decided whether it fits a network. */
export type MediaFacts = {
  kind: MediaKind
  /** Found in its bytes, never by its name. */
  mime: string
  bytes: number
  /** Pixels, as it is shown: upright. Null for documents. */
  width: number | null
  height: number | null
  /** Seconds. Null for images that do not move, and for documents. */
  duration_s: number | null
  /** Whether no pixel of an image is transparent: only then can it become a JPEG. Null for other files. */
  opaque: boolean | null
}

/** Files of one kind that a network accepts. A limit that is absent does not exist. */
export type FileRules = {
  /** Maximum number in one part of a post. */
  max: number
  /** Accepted media types. Images of another type are converted to the first that keeps them as they look. */
  mimes: string[]
  max_bytes: number
  /** Whether files of this kind are refused beside other kinds, though `mixed` allows those. */
  alone?: boolean
  max_width?: number
  max_height?: number
  /** Width times height. */
  max_pixels?: number
  max_width_plus_height?: number
  /** Width divided by height. */
  min_aspect?: number
  max_aspect?: number
  /** Seconds. */
  min_duration_s?: number
  max_duration_s?: number
}

/** Files that one part of a post can have on a network. */
export type MediaRules = {
  /** Kinds that the network accepts. A gif without rules of its own is refused, never sent as a still. */
  kinds: Partial<Record<MediaKind, FileRules>>
  /** Maximum number of files of all kinds. */
  max: number
  /** Whether files of different kinds can be in one part. */
  mixed: boolean
  /** Whether a post without a file is refused. */
  required: boolean
  /** Maximum length of an alternative text, in characters; null if the network has none. */
  max_alt_length: number | null
}

/** Accepts every type of file that Meydan keeps, with the longest alternative texts. `max`: files in one part. */
export function anyFile(limits: Pick<FileRules, 'max' | 'max_bytes'>): MediaRules {
  const files = (...mimes: string[]): FileRules => ({ ...limits, mimes })
  return {
    kinds: {
      image: files('image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/heic'),
      gif: files('image/gif', 'image/webp', 'image/apng'),
      video: files('video/mp4', 'video/quicktime', 'video/webm'),
      document: files('application/pdf'),
    },
    max: limits.max,
    mixed: true,
    required: false,
    max_alt_length: 2000,
  }
}
