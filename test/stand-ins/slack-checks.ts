type Fields = Record<string, unknown>

/** A message as readers see it. */
export type Content = { text: string; media: { type: string; alt: string | null }[] }

/** An error of Slack, which its methods report with status 200. */
export class Refusal extends Error {
  readonly code: string
  readonly details: Fields
  constructor(code: string, details: Fields = {}) {
    super(code)
    this.code = code
    this.details = details
  }
}

/** Finds a file that a block may show: an image that Slack has processed. */
type FindImage = (id: string) => { type: string } | undefined

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const longerThan = (value: unknown, max: number) => typeof value === 'string' && value.length > max

/** Text as Slack shows it: references resolved, the three escaped characters opened. */
export const shown = (text: string) =>
  text
    .replace(/<!(channel|here|everyone)(?:\|[^>]*)?>/g, '@$1')
    .replace(/<[@#][A-Z0-9]+\|([^>]*)>/g, '$1')
    .replace(/<((?:https?|mailto):[^|>]+)\|([^>]*)>/g, '$2')
    .replace(/<((?:https?|mailto):[^>]+)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

const textObject = (value: unknown, max: number) =>
  isObject(value) &&
  (value.type === 'mrkdwn' || value.type === 'plain_text') &&
  typeof value.text === 'string' &&
  value.text.length > 0 &&
  value.text.length <= max

const textOf = (value: unknown) => {
  if (!isObject(value) || typeof value.text !== 'string') return []
  return [value.type === 'mrkdwn' ? shown(value.text) : value.text]
}

/** Texts of a rich text block; its elements nest. */
const richTexts = (value: unknown): string =>
  isObject(value)
    ? `${typeof value.text === 'string' ? value.text : (value.url ?? '')}${(Array.isArray(value.elements) ? value.elements : []).map(richTexts).join('')}`
    : ''

function imageProblem(block: Fields, findImage: FindImage): string | undefined {
  if (typeof block.alt_text !== 'string') return 'missing required field: alt_text'
  if (block.alt_text.length > 2000) return 'must be less than 2001 characters: alt_text'
  const { image_url, slack_file } = block
  if ((image_url === undefined) === (slack_file === undefined)) return 'must provide one of image_url and slack_file'
  if (image_url !== undefined)
    return longerThan(image_url, 3000) || !URL.canParse(String(image_url)) ? 'invalid image_url' : undefined
  if (!isObject(slack_file) || (slack_file.id === undefined) === (slack_file.url === undefined))
    return 'invalid slack file'
  const id = slack_file.id ?? /\/files-pri\/[A-Z0-9]+-([A-Z0-9]+)\//.exec(String(slack_file.url))?.[1]
  const found = findImage(String(id))
  return found && /^image\/(png|jpeg|gif)$/.test(found.type) ? undefined : 'invalid slack file'
}

function blockProblem(block: unknown, findImage: FindImage): string | undefined {
  if (!isObject(block)) return 'must be an object'
  if (longerThan(block.block_id, 255)) return 'must be less than 256 characters: block_id'
  switch (block.type) {
    case 'section': {
      const fields = Array.isArray(block.fields) ? block.fields : []
      const isWrong =
        (block.text === undefined && fields.length === 0) ||
        (block.text !== undefined && !textObject(block.text, 3000)) ||
        fields.length > 10 ||
        fields.some((field) => !textObject(field, 2000))
      return isWrong ? 'invalid section' : undefined
    }
    case 'header':
      return isObject(block.text) && block.text.type === 'plain_text' && textObject(block.text, 150)
        ? undefined
        : 'invalid header'
    case 'context':
      return Array.isArray(block.elements) && block.elements.length > 0 && block.elements.length <= 10
        ? undefined
        : 'invalid context'
    case 'markdown':
      return typeof block.text === 'string' && block.text.length <= 12_000 ? undefined : 'invalid markdown'
    case 'image':
      return imageProblem(block, findImage)
    case 'divider':
      return undefined
    case 'rich_text':
      return Array.isArray(block.elements) ? undefined : 'invalid rich_text'
    default:
      return `unsupported type: ${block.type}`
  }
}

function contentOf(block: Fields, findImage: FindImage): Content {
  if (block.type === 'image') {
    const { slack_file } = block
    const type = isObject(slack_file) ? findImage(String(slack_file.id))?.type : undefined
    return { text: '', media: [{ type: type ?? 'image', alt: String(block.alt_text) }] }
  }
  const parts: unknown[] = [block.text, block.fields, block.elements].flat()
  if (block.type === 'markdown') return { text: String(block.text), media: [] }
  if (block.type === 'rich_text') return { text: parts.map(richTexts).join(''), media: [] }
  return { text: parts.flatMap(textOf).join('\n'), media: [] }
}

/** A JSON argument, which a form has as text. */
export const parsed = (value: unknown): unknown => {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

/** Checks blocks, which replace the text for readers of the channel. */
function readBlocks(value: unknown, findImage: FindImage): Content {
  const blocks = parsed(value)
  if (!Array.isArray(blocks)) throw new Refusal('invalid_blocks_format')
  const errors = blocks.flatMap((block, index) => {
    const problem = blockProblem(block, findImage)
    return problem ? [`${problem} [json-pointer:/blocks/${index}]`] : []
  })
  if (blocks.length > 50) errors.push('no more than 50 items allowed [json-pointer:/blocks]')
  if (errors.length > 0) throw new Refusal('invalid_blocks', { errors })
  const contents = blocks.map((block) => contentOf(block, findImage))
  const text = contents.flatMap((content) => (content.text ? [content.text] : [])).join('\n')
  if (text.length > 13_000) throw new Refusal('msg_blocks_too_long')
  return { text, media: contents.flatMap(({ media }) => media) }
}

/** Reads `text`, `blocks` and `markdown_text` as `chat.postMessage` does. A text over 40,000 characters is cut. */
export function readContent(fields: Fields, findImage: FindImage): Content {
  const { text, blocks, markdown_text } = fields
  if (markdown_text !== undefined) {
    if (text !== undefined || blocks !== undefined) throw new Refusal('markdown_text_conflict')
    if (longerThan(markdown_text, 12_000)) throw new Refusal('msg_too_long')
    if (!markdown_text) throw new Refusal('no_text')
    return { text: String(markdown_text), media: [] }
  }
  if (blocks) return readBlocks(blocks, findImage)
  if (!text) throw new Refusal('no_text')
  return { text: shown(String(text).slice(0, 40_000)), media: [] }
}

/** Reads `metadata`: the type of an event, and its payload. */
export function readMetadata(value: unknown): Fields | undefined {
  if (!value) return undefined
  const metadata = parsed(value)
  if (!isObject(metadata) || typeof metadata.event_type !== 'string' || !isObject(metadata.event_payload))
    throw new Refusal('invalid_metadata_format')
  if (JSON.stringify(metadata).length > 16_000) throw new Refusal('metadata_too_large')
  return metadata
}
