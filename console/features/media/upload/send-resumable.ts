import type { Upload } from 'tus-js-client'
import { ApiProblem, isUnreachable, unwrap, workspaceApi, workspaceId } from '../../../api'
import type { Media } from '../queries'

/** Bytes of one request. Proxies commonly refuse requests of more than 100 MB. */
const CHUNK_BYTES = 16 * 1024 * 1024
/** Waits before each attempt to continue. Every byte that arrives begins them again. */
const RETRY_MS = [0, 1000, 3000, 5000, 10_000, 20_000]

/** The reason why an aborted upload is kept on the server, so that choosing the file again continues it. */
export const LEFT = 'left'

/** The problem that the server reported, or the error itself. */
function problemOf(error: Error): Error {
  const body = 'originalResponse' in error && (error.originalResponse as { getBody(): string } | null)?.getBody()
  if (!body) {
    isUnreachable.set(true)
    return error
  }
  try {
    return new ApiProblem(JSON.parse(body))
  } catch {
    return error
  }
}

/** Uploads a file by the tus protocol: it continues after a cut connection, also one of an earlier page. */
export async function sendResumable(
  workspace: string,
  file: File,
  onProgress: (sent: number) => void,
  signal: AbortSignal,
): Promise<Media> {
  // Few uploads are so large.
  const tus = await import('tus-js-client')
  const id = await new Promise<string>((resolve, reject) => {
    const upload: Upload = new tus.Upload(file, {
      endpoint: new URL('/api/v1/media/uploads', location.href).href,
      headers: { 'x-workspace-id': workspaceId(workspace) },
      metadata: { filename: file.name },
      chunkSize: CHUNK_BYTES,
      retryDelays: RETRY_MS,
      removeFingerprintOnSuccess: true,
      fingerprint: async () => ['meydan', workspaceId(workspace), file.name, file.size, file.lastModified].join(' '),
      onProgress: (sent, total) => onProgress(total ? sent / total : 0),
      onSuccess: ({ lastResponse }) => resolve(lastResponse.getHeader('Upload-Media-Id') ?? ''),
      onError: (error) => reject(problemOf(error)),
    })
    const abort = () => void upload.abort(signal.reason !== LEFT).catch(() => undefined)
    signal.addEventListener('abort', abort)
    void upload.findPreviousUploads().then(([earlier]) => {
      if (signal.aborted) return
      if (earlier) upload.resumeFromPreviousUpload(earlier)
      upload.start()
    }, reject)
  })
  return unwrap(workspaceApi(workspace).GET('/api/v1/media/{id}', { params: { path: { id } } }))
}
