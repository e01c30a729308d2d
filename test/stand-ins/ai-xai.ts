import { bearerOf, modelList } from './ai-openai.ts'
import { isImageUrl, type ProviderProtocol } from './ai-server.ts'

const kinds: Record<number, string> = {
  400: 'Client specified an invalid argument',
  403: 'The caller does not have permission to execute the specified operation',
  404: 'Some requested entity was not found',
  429: 'Some resource has been exhausted',
}

/** xAI: the Responses protocol for text; images; videos to poll, then download from another path. */
export function xai(): ProviderProtocol {
  const looks = new Map<string, number>()
  return {
    base: '/v1',
    keyOf: bearerOf,
    // It reports a wrong key as an invalid argument.
    errorOf: (status, error) => {
      const sent = status === 401 ? 400 : status
      return { status: sent, body: { code: kinds[sent] ?? 'Internal error', error } }
    },
    toReply: ({ method, url, headers, body }, script) => {
      const { parts, usage, sees, image, video, videoPolls, videoFails } = script
      if (method === 'GET' && url === '/models') return modelList
      if (method === 'GET' && /^\/videos\/[^/]+\.mp4$/.test(url)) return { bytes: video, mime: 'video/mp4' }
      const [, request_id] = /^\/videos\/([^/]+)$/.exec(url) ?? []
      if (method === 'GET' && request_id) {
        const seen = looks.get(request_id)
        if (seen === undefined) return undefined
        looks.set(request_id, seen + 1)
        if (seen < videoPolls)
          return { status: 202, json: { status: 'pending', progress: Math.round((100 * seen) / videoPolls) } }
        if (videoFails) return { json: { status: 'failed', error: { code: 'internal_error', message: videoFails } } }
        return {
          json: {
            status: 'done',
            progress: 100,
            model: 'grok-imagine-video',
            video: { url: `http://${headers.host}/v1/videos/${request_id}.mp4`, duration: 5, respect_moderation: true },
          },
        }
      }
      if (method !== 'POST') return undefined
      if (typeof body?.model !== 'string') return 'missing field `model`'
      if (url === '/images/generations' || url === '/videos/generations') {
        if (typeof body.prompt !== 'string') return 'missing field `prompt`'
        if (url === '/images/generations')
          return {
            json: { data: Array.from({ length: body.n ?? 1 }, () => ({ b64_json: image.toString('base64') })) },
          }
        const id = `video-${looks.size + 1}`
        looks.set(id, 0)
        return { json: { request_id: id } }
      }
      if (url !== '/responses') return undefined
      if (!Array.isArray(body.input) || body.input.length === 0) return 'missing field `input`'
      for (const part of body.input.flatMap(({ content }: { content: object[] }) => content)) {
        if (part.type !== 'input_image') continue
        if (!isImageUrl(part.image_url)) return 'Invalid image'
        if (!sees) return 'Image inputs are not supported by this model'
      }
      const text = parts.join('')
      const content = (said: string) => ({ type: 'output_text', text: said, annotations: [], logprobs: [] })
      const item = (status: string, said: object[]) => ({
        type: 'message',
        id: 'msg_stand_in',
        role: 'assistant',
        status,
        content: said,
      })
      const response = (status: string, output: object[], more: object = {}) => ({
        id: 'resp_stand_in',
        object: 'response',
        created_at: 1_770_000_000,
        model: body.model,
        status,
        output,
        ...more,
      })
      const done = response('completed', [item('completed', [content(text)])], {
        usage: {
          input_tokens: usage.input,
          output_tokens: usage.output,
          total_tokens: usage.input + usage.output,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens_details: { reasoning_tokens: 0 },
        },
      })
      if (!body.stream) return { json: done }
      const at = { item_id: 'msg_stand_in', output_index: 0, content_index: 0 }
      const event = (data: { type: string } & Record<string, unknown>, sequence_number: number) => ({
        event: data.type,
        data: { ...data, sequence_number },
      })
      return {
        events: [
          { type: 'response.created', response: response('in_progress', []) },
          { type: 'response.in_progress', response: response('in_progress', []) },
          { type: 'response.output_item.added', item: item('in_progress', []), output_index: 0 },
          { type: 'response.content_part.added', ...at, part: content('') },
          ...parts.map((delta) => ({ type: 'response.output_text.delta', ...at, delta, logprobs: [] })),
          { type: 'response.output_text.done', ...at, text },
          { type: 'response.content_part.done', ...at, part: content(text) },
          { type: 'response.output_item.done', item: item('completed', [content(text)]), output_index: 0 },
          { type: 'response.completed', response: done },
        ].map(event),
      }
    },
  }
}
