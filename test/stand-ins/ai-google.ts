import { isImage, type ProviderProtocol } from './ai-server.ts'

const kinds: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

/** The Gemini API. A video is an operation to poll, then a file whose download needs the key. */
export function google(): ProviderProtocol {
  const looks = new Map<string, number>()
  return {
    base: '/v1beta',
    keyOf: (headers, url) => headers['x-goog-api-key']?.toString() ?? url.searchParams.get('key') ?? undefined,
    // It reports a wrong key as an invalid argument.
    errorOf: (status, message) =>
      status === 401
        ? {
            status: 400,
            body: {
              error: {
                code: 400,
                message: `API key not valid. Please pass a valid API key. ${message}`,
                status: 'INVALID_ARGUMENT',
                details: [
                  {
                    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
                    reason: 'API_KEY_INVALID',
                    domain: 'googleapis.com',
                    metadata: { service: 'generativelanguage.googleapis.com' },
                  },
                ],
              },
            },
          }
        : { status, body: { error: { code: status, message, status: kinds[status] ?? 'UNKNOWN' } } },
    toReply: ({ method, url, body, headers }, script, { pathname }) => {
      const { parts, usage, sees, image, video, videoPolls, videoFails } = script
      const path = pathname.replace('/v1beta', '')
      if (method === 'GET' && path === '/models')
        return { json: { models: [{ name: 'models/model-1', displayName: 'One' }] } }
      if (method === 'GET' && /^\/files\/[^/]+:download$/.test(path)) return { bytes: video, mime: 'video/mp4' }
      const [, operation] = /^\/(models\/[^/]+\/operations\/[^/]+)$/.exec(path) ?? []
      if (method === 'GET' && operation) {
        const seen = looks.get(operation)
        if (seen === undefined) return undefined
        looks.set(operation, seen + 1)
        if (seen < videoPolls) return { json: { name: operation } }
        if (videoFails) return { json: { name: operation, done: true, error: { code: 3, message: videoFails } } }
        const uri = `http://${headers.host}/v1beta/files/${operation.split('/').at(-1)}:download?alt=media`
        return {
          json: {
            name: operation,
            done: true,
            response: {
              '@type': 'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse',
              generateVideoResponse: { generatedSamples: [{ video: { uri } }] },
            },
          },
        }
      }
      const [, model, verb] = /^\/models\/([^/:]+):(\w+)$/.exec(path) ?? []
      if (method !== 'POST' || !model) return undefined
      if (verb === 'embedContent')
        return body?.content?.parts?.[0]?.text
          ? { json: { embedding: { values: [0.1, -0.2, 0.3] } } }
          : 'content is not set'
      if (verb === 'predictLongRunning') {
        if (typeof body?.instances?.[0]?.prompt !== 'string') return 'instances[0].prompt is not set'
        const name = `models/${model}/operations/${looks.size + 1}`
        looks.set(name, 0)
        return { json: { name } }
      }
      if (!Array.isArray(body?.contents) || body.contents.length === 0) return 'contents is not specified'
      for (const { text, inlineData } of body.contents.flatMap(({ parts }: { parts: object[] }) => parts)) {
        if (text) continue
        if (!isImage(inlineData?.mimeType, inlineData?.data)) return 'Unable to process input image.'
        if (!sees) return 'Image input modality is not enabled for this model'
      }
      const usageMetadata = {
        promptTokenCount: usage.input,
        candidatesTokenCount: usage.output,
        totalTokenCount: usage.input + usage.output,
      }
      const candidate = (said: object[], finishReason?: string) => ({
        candidates: [{ content: { parts: said, role: 'model' }, ...(finishReason && { finishReason }), index: 0 }],
        usageMetadata,
        modelVersion: model,
        responseId: 'stand-in',
      })
      if (verb === 'streamGenerateContent' && url.endsWith('?alt=sse'))
        return {
          events: parts.map((text, index) => ({
            data: candidate([{ text }], index === parts.length - 1 ? 'STOP' : undefined),
          })),
        }
      if (verb !== 'generateContent') return undefined
      return {
        json: body.generationConfig?.responseModalities?.includes('IMAGE')
          ? candidate([{ inlineData: { mimeType: 'image/png', data: image.toString('base64') } }], 'STOP')
          : candidate([{ text: parts.join('') }], 'STOP'),
      }
    },
  }
}
