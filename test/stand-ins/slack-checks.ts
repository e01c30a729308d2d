import type { RuleProblem } from './request-rules.ts'

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

const textOf = (value: unknown) => {
  if (!isObject(value) || typeof value.text !== 'string') return []
  return [value.type === 'mrkdwn' ? shown(value.text) : value.text]
}

/** Texts of a rich text block; its elements nest. */
const richTexts = (value: unknown): string =>
  isObject(value)
    ? `${typeof value.text === 'string' ? value.text : (value.url ?? '')}${(Array.isArray(value.elements) ? value.elements : []).map(richTexts).join('')}`
    : ''

/** Finds what the rules of requests cannot say of an image: one of its two sources, and a file that exists. */
function imageProblem({ image_url, slack_file }: Fields, findImage: FindImage): string | undefined {
  if ((image_url === undefined) === (slack_file === undefined)) return 'must provide one of image_url and slack_file'
  if (image_url !== undefined) return undefined
  if (!isObject(slack_file) || (slack_file.id === undefined) === (slack_file.url === undefined))
    return 'invalid slack file'
  const id = slack_file.id ?? /\/files-pri\/[A-Z0-9]+-([A-Z0-9]+)\//.exec(String(slack_file.url))?.[1]
  const found = findImage(String(id))
  return found && /^image\/(png|jpeg|gif)$/.test(found.type) ? undefined : 'invalid slack file'
}

function blockProblem(block: Fields, findImage: FindImage): string | undefined {
  if (block.type === 'image') return imageProblem(block, findImage)
  const isEmpty = block.type === 'section' && block.text === undefined && block.fields === undefined
  return isEmpty ? 'must define either `text` or `fields`' : undefined
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

/** The refusal of blocks, each error with the place that it is about. */
const invalidBlocks = (errors: string[]) =>
  new Refusal('invalid_blocks', { errors, response_metadata: { messages: errors.map((each) => `[ERROR] ${each}`) } })

/** Reads blocks, which replace the text for readers of the channel. */
function readBlocks(blocks: Fields[], findImage: FindImage): Content {
  const errors = blocks.flatMap((block, index) => {
    const problem = blockProblem(block, findImage)
    return problem ? [`${problem} [json-pointer:/blocks/${index}]`] : []
  })
  if (errors.length > 0) throw invalidBlocks(errors)
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
  if (Array.isArray(blocks)) return readBlocks(blocks, findImage)
  if (!text) throw new Refusal('no_text')
  return { text: shown(String(text).slice(0, 40_000)), media: [] }
}

/** Reads `metadata`, whose size counts as JSON. */
export function readMetadata(metadata: unknown): Fields | undefined {
  if (!isObject(metadata)) return undefined
  if (JSON.stringify(metadata).length > 16_000) throw new Refusal('metadata_too_large')
  return metadata
}

/** Errors about arguments that have a name of their own. */
const argumentErrors: Record<string, string> = {
  'alt_txt maxLength': 'alt_txt_too_large',
  'length minimum': 'missing_argument',
  'blocks type': 'invalid_blocks_format',
  'attachments maxItems': 'too_many_attachments',
  'types pattern': 'invalid_types',
  'limit type': 'invalid_limit',
  'limit minimum': 'invalid_limit',
  'limit maximum': 'invalid_limit',
  'oldest pattern': 'invalid_ts_oldest',
  'latest pattern': 'invalid_ts_latest',
}

type Limits = { maxLength?: number; maxItems?: number }

/** The words of Slack for a rule that is broken, with the place of it. Slack ignores unknown arguments of a method. */
function sentenceOf({ name, message, keyword, schema }: RuleProblem) {
  const path = name.split('.')
  const { maxLength = 0, maxItems }: Limits = schema
  const isOfParent = keyword === 'required' || keyword === 'boolean'
  const says: Record<string, string> = {
    required: `missing required field: ${path.at(-1)}`,
    boolean: `invalid additional property: ${path.at(-1)}`,
    maxLength: `must be less than ${maxLength + 1} characters`,
    minLength: 'must be more than 0 characters',
    maxItems: `no more than ${maxItems} items allowed`,
  }
  const place = isOfParent ? path.slice(0, -1) : path
  return `${says[keyword] ?? message} [json-pointer:/${place.join('/')}]`
}

/** The refusal of a request that breaks a rule. */
export function refusalOf(problem: RuleProblem) {
  const [argument = ''] = problem.name.split('.')
  const own = argumentErrors[`${problem.name} ${problem.keyword}`]
  if (own) return new Refusal(own)
  const sentence = sentenceOf(problem)
  if (argument === 'blocks') return invalidBlocks([sentence])
  const code = argument === 'metadata' ? 'invalid_metadata_format' : 'invalid_arguments'
  return new Refusal(code, { response_metadata: { messages: [`[ERROR] ${sentence}`] } })
}
