import { isImage, type ProviderProtocol } from './ai-server.ts'

const kinds: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
}

export const anthropic: ProviderProtocol = {
  base: '/v1',
  keyOf: (headers) => headers['x-api-key']?.toString(),
  errorOf: (status, message) => ({
    status,
    body: { type: 'error', error: { type: kinds[status] ?? 'api_error', message }, request_id: 'req_stand_in' },
  }),
  toReply: ({ method, url, headers, body }, { parts, sees, usage: { input, output } }) => {
    if (headers['anthropic-version'] !== '2023-06-01') return 'anthropic-version: header is required'
    if (method === 'GET' && url === '/models')
      return { json: { data: [{ type: 'model', id: 'model-1', display_name: 'One' }], has_more: false } }
    if (method !== 'POST' || url !== '/messages') return undefined
    if (typeof body?.model !== 'string') return 'model: Field required'
    if (!Number.isInteger(body.max_tokens)) return 'max_tokens: Field required'
    if (!Array.isArray(body.messages) || body.messages.length === 0) return 'messages: Field required'
    if (body.messages.some(({ role }: { role: string }) => !['user', 'assistant'].includes(role)))
      return 'messages: Unexpected role "system".'
    for (const { content } of body.messages)
      for (const part of Array.isArray(content) ? content : []) {
        if (part.type === 'text' && part.text) continue
        if (part.type !== 'image') return `messages: Input tag '${part.type}' does not match`
        if (part.source?.type !== 'base64' || !isImage(part.source.media_type, part.source.data))
          return 'messages: Could not process image'
        if (!sees) return 'messages: this model does not support image input'
      }
    if (body.temperature > 1) return 'temperature: range: 0..1'
    const message = {
      id: 'msg_stand_in',
      type: 'message',
      role: 'assistant',
      model: body.model,
      stop_sequence: null,
    }
    const usageFields = { input_tokens: input, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
    if (!body.stream)
      return {
        json: {
          ...message,
          content: [{ type: 'text', text: parts.join('') }],
          stop_reason: 'end_turn',
          usage: { ...usageFields, output_tokens: output },
        },
      }
    const event = (data: { type: string } & Record<string, unknown>) => ({ event: data.type, data })
    return {
      events: [
        event({
          type: 'message_start',
          message: { ...message, content: [], stop_reason: null, usage: { ...usageFields, output_tokens: 1 } },
        }),
        event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
        event({ type: 'ping' }),
        ...parts.map((text) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
        event({ type: 'content_block_stop', index: 0 }),
        event({
          type: 'message_delta',
          delta: { stop_reason: 'end_turn', stop_sequence: null },
          usage: { output_tokens: output },
        }),
        event({ type: 'message_stop' }),
      ],
    }
  },
}
