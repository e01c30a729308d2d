import { ApiProblem, isUnreachable, workspaceId } from '../../../api'
import type { components } from '../../../api.gen'

type Prompt = components['schemas']['TextPrompt']

type Stream = {
  workspace: string
  prompt: Prompt
  /** Receives the text so far. */
  onText?: (text: string) => void
  signal: AbortSignal
}

/** Generates a text and reports it as far as it is written. */
export async function streamText({ workspace, prompt, onText, signal }: Stream) {
  const response = await fetch('/api/v1/ai/generate/text', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'x-workspace-id': workspaceId(workspace),
    },
    body: JSON.stringify(prompt),
    signal,
  }).catch((lost) => {
    if (!signal.aborted) isUnreachable.set(true)
    throw lost
  })
  if (!response.ok || !response.body) throw new ApiProblem(await response.json())
  let text = ''
  for await (const { event, data } of eventsOf(response.body)) {
    if (event === 'error') throw new ApiProblem({ type: 'about:blank', title: data.detail, status: 503, ...data })
    if (event !== 'delta') continue
    text += data.text
    onText?.(text)
  }
  return text
}

/** Reads server-sent events (HTML, section 9.2), each of which Meydan writes with one line of data. */
async function* eventsOf(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (rest + value).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/s.exec(block) ?? []
      if (event && data) yield { event, data: JSON.parse(data) }
    }
  }
}
