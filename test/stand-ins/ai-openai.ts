import { type Call, isImageUrl, type ProviderProtocol, type Reply, type Script } from './ai-server.ts'

const id = 'stand-in-0001'
const created = 1_770_000_000
const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const usage = ({ usage: { input, output } }: Script) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
})

/** Refuses parts of a message that are not a text or an image. Mistral takes the URL of an image without an object. */
function refusedPart({ messages }: Call['body'], { sees }: Script) {
  for (const part of messages.flatMap(({ content }: Call['body']) => (Array.isArray(content) ? content : []))) {
    if (part.type === 'text' && isText(part.text)) continue
    if (part.type !== 'image_url') return `Invalid value: '${part.type}'.`
    if (!isImageUrl(part.image_url?.url ?? part.image_url)) return 'You uploaded an unsupported image.'
    if (!sees) return 'Invalid content type. image_url is only supported by certain models.'
  }
  return undefined
}

/** `POST /chat/completions`, which Mistral, Ollama and many others also have. */
function chatCompletions({ body }: Call, script: Script): Reply | string {
  if (!isText(body?.model)) return 'you must provide a model parameter'
  if (!Array.isArray(body.messages) || body.messages.length === 0) return "'messages' is a required property"
  const refused = refusedPart(body, script)
  if (refused) return refused
  const about = { id, created, model: body.model }
  if (!body.stream)
    return {
      json: {
        ...about,
        object: 'chat.completion',
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: script.parts.join(''), refusal: null, annotations: [] },
            logprobs: null,
            finish_reason: 'stop',
          },
        ],
        usage: usage(script),
        service_tier: 'default',
        system_fingerprint: null,
      },
    }
  const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
    data: {
      ...about,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      ...more,
    },
  })
  return {
    events: [
      chunk({ role: 'assistant', content: '' }),
      ...script.parts.map((content) => chunk({ content })),
      chunk({}, 'stop'),
      ...(body.stream_options?.include_usage
        ? [{ data: { ...about, object: 'chat.completion.chunk', choices: [], usage: usage(script) } }]
        : []),
      { data: '[DONE]' },
    ],
  }
}

function completions({ body }: Call, script: Script): Reply | string {
  if (!isText(body?.model)) return 'you must provide a model parameter'
  if (!isText(body.prompt)) return 'you must provide a prompt'
  const about = { id, object: 'text_completion', created, model: body.model }
  const choice = (text: string, finish_reason: string | null) => [{ text, index: 0, logprobs: null, finish_reason }]
  if (!body.stream) return { json: { ...about, choices: choice(script.parts.join(''), 'stop'), usage: usage(script) } }
  return {
    events: [
      ...script.parts.map((text) => ({ data: { ...about, choices: choice(text, null) } })),
      { data: { ...about, choices: choice('', 'stop') } },
      { data: { ...about, choices: [], usage: usage(script) } },
      { data: '[DONE]' },
    ],
  }
}

function embeddings({ body }: Call, script: Script): Reply | string {
  if (!isText(body?.model)) return 'you must provide a model parameter'
  if (!Array.isArray(body.input) && !isText(body.input)) return "'input' is a required property"
  const { prompt_tokens } = usage(script)
  return {
    json: {
      object: 'list',
      data: [body.input]
        .flat()
        .map((_: unknown, index: number) => ({ object: 'embedding', index, embedding: [0.1, -0.2, 0.3] })),
      model: body.model,
      usage: { prompt_tokens, total_tokens: prompt_tokens },
    },
  }
}

function images({ body }: Call, { image, usage: { input, output } }: Script): Reply | string {
  if (!isText(body?.model)) return 'you must provide a model parameter'
  if (!isText(body.prompt)) return "'prompt' is a required property"
  // Image models since gpt-image-1 always return base64, and reject a request for it.
  if (body.model.startsWith('gpt-image') && 'response_format' in body) return "Unknown parameter: 'response_format'."
  return {
    json: {
      created,
      data: Array.from({ length: body.n ?? 1 }, () => ({ b64_json: image.toString('base64') })),
      usage: { input_tokens: input, output_tokens: output, total_tokens: input + output },
    },
  }
}

export const modelList: Reply = {
  json: { object: 'list', data: [{ id: 'model-1', object: 'model', created, owned_by: 'stand-in' }] },
}

export const bearerOf = ({ authorization }: { authorization?: string | undefined }) =>
  /^Bearer (.+)$/.exec(authorization ?? '')?.[1]

const kinds: Record<number, [type: string, code: string | null]> = {
  400: ['invalid_request_error', null],
  401: ['invalid_request_error', 'invalid_api_key'],
  403: ['invalid_request_error', 'model_not_allowed'],
  404: ['invalid_request_error', 'model_not_found'],
  429: ['requests', 'rate_limit_exceeded'],
}

const routes: Record<string, (call: Call, script: Script) => Reply | string> = {
  'POST /chat/completions': chatCompletions,
  'POST /completions': completions,
  'POST /embeddings': embeddings,
  'POST /images/generations': images,
  'GET /models': () => modelList,
}

export const openai: ProviderProtocol = {
  base: '/v1',
  keyOf: bearerOf,
  errorOf: (status, message) => {
    const [type, code] = kinds[status] ?? ['server_error', null]
    return { status, body: { error: { message, type, param: null, code } } }
  },
  toReply: (call, script) => routes[`${call.method} ${call.url}`]?.(call, script),
}

/** Ollama under `/v1`, where it has OpenAI's protocol; it needs no key. */
export const ollama: ProviderProtocol = {
  ...openai,
  errorOf: (status, message) => ({ status, body: { error: { message, type: 'api_error', param: null, code: null } } }),
}

export const mistral: ProviderProtocol = {
  ...openai,
  errorOf: (status, message) => ({
    status,
    body:
      status === 401
        ? { detail: message }
        : { object: 'error', message, type: 'invalid_request_error', param: null, code: String(status) },
  }),
  toReply: (call, script) => {
    if (call.url === '/completions' || call.url.startsWith('/images')) return undefined
    if (call.body && 'stream_options' in call.body) return 'Extra inputs are not permitted: stream_options'
    const reply = openai.toReply(call, script, new URL('http://stand-in'))
    // Mistral always sends the usage, in the last part.
    if (typeof reply === 'object' && 'events' in reply) {
      const last = reply.events.at(-2)?.data as Record<string, unknown>
      last.usage = usage(script)
    }
    return reply
  },
}
