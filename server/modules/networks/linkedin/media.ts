import { Readable } from 'node:stream'
import type { Deps } from '../../../lib/deps.ts'
import { call, fieldsOf } from '../calls/call.ts'
import { uploadTimeoutMs } from '../calls/multipart.ts'
import { slicesOf } from '../calls/slices.ts'
import { NetworkFault, type PartMedia, type Publication } from '../network.ts'
import { withToken } from '../oauth/with-token.ts'
import { askFields, faultOf, inPath } from './api.ts'

/** Seconds between two questions whether a video is processed. */
const POLL_S = 5

const unexpected = () =>
  new NetworkFault({ kind: 'unavailable', message: 'LinkedIn returned no address for the upload.' })

/** The address must be LinkedIn's, because the token is sent there. */
function uploadAddress(value: unknown) {
  if (typeof value !== 'string' || !URL.canParse(value)) throw unexpected()
  const { protocol, hostname } = new URL(value)
  if (protocol !== 'https:' || !/(^|\.)linkedin\.com$/.test(hostname)) throw unexpected()
  return value
}

type Sent = { url: string; body: Readable; bytes: number; token: string }

async function put(deps: Deps, { url, body, bytes, token }: Sent) {
  const reply = await call(deps, {
    url,
    method: 'PUT',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/octet-stream',
      'content-length': String(bytes),
    },
    body,
    timeoutMs: uploadTimeoutMs(bytes),
    originKey: 'linkedin.upload',
  })
  if (reply.status >= 300) throw faultOf(deps, reply)
  return reply
}

/** Uploads a file. Returns its URN, by which a post names it. An upload without a post leaves nothing to see. */
export function upload(deps: Deps, publication: Publication, file: PartMedia, name: string): Promise<string> {
  const owner = publication.account.external_id
  const { kind, version: from } = file
  if (kind !== 'video')
    return publication.prepare(name, {
      from,
      make: () =>
        withToken(publication, (token) =>
          uploadWhole(deps, token, { file, owner, kind: kind === 'document' ? 'document' : 'image' }),
        ),
    })
  return publication.prepare(name, {
    from,
    make: () => withToken(publication, (token) => uploadVideo(deps, token, { file, owner })),
    ready: (urn) => withToken(publication, (token) => assertProcessed(deps, token, urn)),
  })
}

async function uploadWhole(
  deps: Deps,
  token: string,
  { file, owner, kind }: { file: PartMedia; owner: string; kind: 'image' | 'document' },
) {
  const { value } = await askFields(deps, token, {
    method: 'POST',
    path: `/rest/${kind}s?action=initializeUpload`,
    json: { initializeUploadRequest: { owner } },
  })
  const { uploadUrl, [kind]: urn } = fieldsOf(value)
  const url = uploadAddress(uploadUrl)
  if (typeof urn !== 'string') throw unexpected()
  const { stream, bytes } = await file.open()
  try {
    await put(deps, { url, body: stream, bytes, token })
  } finally {
    stream.destroy()
  }
  return urn
}

type Instruction = { url: string; bytes: number }

function instructionsOf(value: unknown, total: number): Instruction[] {
  const list = (Array.isArray(value) ? value : []).map((each): Instruction => {
    const { uploadUrl, firstByte, lastByte } = fieldsOf(each)
    const bytes = Number(lastByte) - Number(firstByte) + 1
    if (!Number.isSafeInteger(bytes) || bytes < 1) throw unexpected()
    return { url: uploadAddress(uploadUrl), bytes }
  })
  if (list.reduce((sum, { bytes }) => sum + bytes, 0) !== total) throw unexpected()
  return list
}

async function uploadVideo(deps: Deps, token: string, { file, owner }: { file: PartMedia; owner: string }) {
  const source = await file.open()
  try {
    const { value } = await askFields(deps, token, {
      method: 'POST',
      path: '/rest/videos?action=initializeUpload',
      json: {
        initializeUploadRequest: {
          owner,
          fileSizeBytes: source.bytes,
          uploadCaptions: false,
          uploadThumbnail: false,
        },
      },
    })
    const { video, uploadToken = '', uploadInstructions } = fieldsOf(value)
    if (typeof video !== 'string') throw unexpected()
    const instructions = instructionsOf(uploadInstructions, source.bytes)
    const uploadedPartIds: string[] = []
    const take = slicesOf(source.stream)
    for (const { url, bytes } of instructions) {
      const { headers } = await put(deps, { url, body: Readable.from(take(bytes)), bytes, token })
      uploadedPartIds.push(headers.etag ?? '')
    }
    await askFields(deps, token, {
      method: 'POST',
      path: '/rest/videos?action=finalizeUpload',
      json: { finalizeUploadRequest: { video, uploadToken, uploadedPartIds } },
    })
    return video
  } finally {
    source.stream.destroy()
  }
}

async function assertProcessed(deps: Deps, token: string, urn: string) {
  const { status, processingFailureReason: reason } = await askFields(deps, token, {
    path: `/rest/videos/${inPath(urn)}`,
  })
  if (status === 'AVAILABLE') return urn
  if (status === 'PROCESSING_FAILED') {
    const message = typeof reason === 'string' ? reason : 'LinkedIn could not process the video.'
    throw new NetworkFault({ kind: 'failed', code: 'rejected_by_network', message })
  }
  throw new NetworkFault({
    kind: 'processing',
    message: 'LinkedIn is still processing the video.',
    retry_after_s: POLL_S,
  })
}
