import { refused } from '../rules/refusals.ts'

/** Accepted media types by what the bytes are, with the extension of their files. */
const accepted: Record<string, { mime: string; extension: string }> = {
  'image/jpeg': { mime: 'image/jpeg', extension: 'jpg' },
  'image/png': { mime: 'image/png', extension: 'png' },
  'image/apng': { mime: 'image/png', extension: 'png' },
  'image/webp': { mime: 'image/webp', extension: 'webp' },
  'image/avif': { mime: 'image/avif', extension: 'avif' },
  'image/gif': { mime: 'image/gif', extension: 'gif' },
  'image/heic': { mime: 'image/heic', extension: 'heic' },
  'image/heif': { mime: 'image/heic', extension: 'heic' },
  'video/mp4': { mime: 'video/mp4', extension: 'mp4' },
  'video/x-m4v': { mime: 'video/mp4', extension: 'mp4' },
  'video/quicktime': { mime: 'video/quicktime', extension: 'mov' },
  'video/webm': { mime: 'video/webm', extension: 'webm' },
  'application/pdf': { mime: 'application/pdf', extension: 'pdf' },
}

const ACCEPTED = 'Accepted are JPEG, PNG, WebP, AVIF and GIF, MP4, MOV and WebM, and PDF.'
/** Browsers look for HTML in as many bytes. */
const MARKUP_BYTES = 1024
const markup = /<(!doctype|!--|html|head|body|script|iframe|svg|[a-z]+:svg|style|title|img|object|embed|meta|\?php)\b/i

/** The text of the first bytes, also in UTF-16, where one of the two bytes of a letter is 0. */
const textOf = (bytes: Buffer) =>
  bytes
    .subarray(0, 2 * MARKUP_BYTES)
    .toString('latin1')
    .replaceAll('\0', '')

function refuseMarkup(text: string) {
  const found = markup.exec(text.slice(0, MARKUP_BYTES))?.[1]?.toLowerCase()
  if (found?.endsWith('svg')) throw refused(`SVG images are not accepted: they can run script. ${ACCEPTED}`)
  if (found) throw refused('The file contains HTML or script, which browsers could run. It is not accepted.')
}

const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n'
const ZIP_END = 'PK\x05\x06'
const MAX_ZIP_COMMENT = 65_557

/** A GIF whose width reads as the beginning of a comment is also a script. */
const scriptInGif = /^GIF8[79]a(\/\*|=|\()/

/** Detects the type by the first bytes of a file. Throws a problem for what is not accepted. */
export async function sniff(head: Buffer) {
  const { fileTypeFromBuffer } = await import('file-type')
  const start = head.toString('latin1', 0, 16)
  // The library would read through all chunks of a PNG.
  const type = start.startsWith(PNG_SIGNATURE) ? { mime: 'image/png' } : await fileTypeFromBuffer(head)
  refuseMarkup(textOf(head))
  const known = type && accepted[type.mime]
  if (!known)
    throw refused(type ? `${type.mime} is not accepted. ${ACCEPTED}` : `The type of the file is unknown. ${ACCEPTED}`)
  if (scriptInGif.test(start) && head.includes('*/')) throw refused('The file is an image and a script in one.')
  return known
}

const isImageOrVideo = (mime: string) => mime.startsWith('image/') || mime.startsWith('video/')

/**
 * Refuses an image with another file behind its end. Only what cameras append is let through, and left out later: a
 * second image, a short video, padding.
 */
export async function refuseSecondFile(trailing: Buffer) {
  if (trailing.length === 0) return
  refuseMarkup(textOf(trailing))
  const { fileTypeFromBuffer } = await import('file-type')
  const type = await fileTypeFromBuffer(trailing.subarray(0, 4100))
  const isZip = trailing.subarray(-MAX_ZIP_COMMENT).includes(ZIP_END, 0, 'latin1')
  const isScript = /^\s*(\*\/|;|=|#!)/.test(trailing.toString('latin1', 0, 64))
  if (isZip || isScript || (type && !isImageOrVideo(type.mime)))
    throw refused('Another file is hidden behind the end of the image.')
}
