import { useEffect, useRef, useState } from 'react'
import { ApiProblem, isUnreachable, workspaceId } from '../../../api'
import { type Media, refreshMedia, showMedia } from '../queries'
import { LEFT, sendResumable } from './send-resumable'

/** A file that is being uploaded, or whose upload failed with `error`. `sent`: the part that was sent, from 0 to 1. */
export type Upload = { key: number; file: File; sent: number; error?: unknown }

/** Maximum number of files uploaded at the same time. */
const AT_ONCE = 2
/** Files with more bytes are uploaded so that they continue after an interruption. */
const RESUMABLE_BYTES = 8 * 1024 * 1024

/** Uploads a file by XMLHttpRequest, because `fetch` reports no progress. */
function sendWhole(workspace: string, file: File, onProgress: (sent: number) => void, signal: AbortSignal) {
  return new Promise<Media>((resolve, reject) => {
    const request = new XMLHttpRequest()
    const form = new FormData()
    form.append('file', file)
    request.open('POST', '/api/v1/media')
    request.setRequestHeader('x-workspace-id', workspaceId(workspace))
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0)
    request.onload = () => {
      if (request.status < 300) return resolve(request.response)
      reject(request.response?.code ? new ApiProblem(request.response) : new Error(request.statusText))
    }
    request.onerror = () => {
      isUnreachable.set(true)
      reject(new Error('unreachable'))
    }
    signal.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}

const send: typeof sendWhole = (workspace, file, ...more) =>
  (file.size > RESUMABLE_BYTES ? sendResumable : sendWhole)(workspace, file, ...more)

/** Uploads files and keeps their progress. `onUploaded` is called with each file once it is stored. */
export function useUploads(workspace: string, onUploaded: (media: Media) => void) {
  const [uploads, setUploads] = useState<Upload[]>([])
  const queue = useRef<{ key: number; file: File; cancel: AbortController }[]>([])
  const running = useRef(new Map<number, AbortController>())
  const lastKey = useRef(0)
  const report = useRef(onUploaded)
  report.current = onUploaded
  const change = (key: number, changed: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...changed } : one)))
  const drop = (key: number) => setUploads((all) => all.filter((one) => one.key !== key))

  const startNext = () => {
    while (running.current.size < AT_ONCE) {
      const next = queue.current.shift()
      if (!next) return
      const { key, file, cancel } = next
      running.current.set(key, cancel)
      void send(workspace, file, (sent) => change(key, { sent }), cancel.signal)
        .then((media) => {
          showMedia(workspace, media)
          void refreshMedia(workspace)
          drop(key)
          report.current(media)
        })
        .catch((error) => change(key, { error }))
        .finally(() => {
          running.current.delete(key)
          startNext()
        })
    }
  }
  const add = (files: Iterable<File>) => {
    const added = [...files].map((file) => ({ key: ++lastKey.current, file, cancel: new AbortController() }))
    queue.current.push(...added)
    setUploads((all) => [...all, ...added.map(({ key, file }) => ({ key, file, sent: 0 }))])
    startNext()
  }
  const cancel = ({ key }: Upload) => {
    queue.current = queue.current.filter((one) => one.key !== key)
    running.current.get(key)?.abort()
    running.current.delete(key)
    drop(key)
    startNext()
  }
  const retry = (upload: Upload) => {
    drop(upload.key)
    add([upload.file])
  }
  useEffect(() => {
    const open = running.current
    return () => {
      for (const one of open.values()) one.abort(LEFT)
    }
  }, [])
  return { uploads, add, cancel, retry }
}
