import type { Deps } from '../../../lib/deps.ts'
import type { Reply } from '../../../lib/outbound/bounded-request.ts'
import { call, faultOfReply, fieldsOf, jsonOf, messageOf } from '../calls/call.ts'
import { uploadTimeoutMs } from '../calls/multipart.ts'
import { NetworkFault, type PartMedia, type Publication } from '../network.ts'
import { callServer } from './repository.ts'

/** Processes videos for every server of the network. */
const SERVICE = 'https://video.bsky.app/xrpc/app.bsky.video'
const originKey = 'bluesky.video'

/** Seconds for which the token for an upload holds. */
const TOKEN_S = 1800
/** Seconds between two questions whether a video is processed. */
const POLL_S = 5

/** `blob`: the reference to the processed video, once there is one. */
type Job = { job_id: string; blob: unknown }

type VideoUpload = { file: PartMedia; name: string; isAgain: boolean }

/** Uploads a video, and waits until it is processed. Returns the reference that a record names it by. */
export async function uploadVideo(deps: Deps, publication: Publication, { file, name, isAgain }: VideoUpload) {
  const make = () => upload(deps, publication, file)
  const ready = async ({ job_id, blob }: Job) => blob ?? processed(deps, job_id)
  return isAgain ? ready(await make()) : publication.prepare(`upload ${name}`, { from: file.version, make, ready })
}

async function upload(deps: Deps, publication: Publication, file: PartMedia): Promise<Job> {
  const token = await uploadToken(deps, publication)
  const { stream, bytes, name } = await file.open()
  const query = new URLSearchParams({ did: publication.account.external_id, name })
  try {
    const reply = await call(deps, {
      url: `${SERVICE}.uploadVideo?${query}`,
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'video/mp4', 'content-length': String(bytes) },
      body: stream,
      timeoutMs: uploadTimeoutMs(bytes),
      originKey,
    })
    // A video that the service knows is refused, with the job that has processed it.
    const { jobId, blob = null } = jobOf(reply)
    if (typeof jobId === 'string' && (reply.status === 409 || reply.status < 300)) return { job_id: jobId, blob }
    throw faultOf(deps, reply)
  } finally {
    stream.destroy()
  }
}

/** A token with which the video service stores the video on the server of the account. */
const uploadToken = (deps: Deps, publication: Publication) =>
  callServer(deps, publication, async (methods) => {
    const { data: server, headers } = await methods.com.atproto.server.describeServer()
    // Uses the clock of the server, which refuses a time that is too far away.
    const sentAt = Date.parse(headers.date ?? '') || deps.clock.now().getTime()
    const { data } = await methods.com.atproto.server.getServiceAuth({
      aud: server.did,
      lxm: 'com.atproto.repo.uploadBlob',
      exp: Math.floor(sentAt / 1000) + TOKEN_S,
    })
    return data.token
  })

async function processed(deps: Deps, job_id: string): Promise<unknown> {
  const query = new URLSearchParams({ jobId: job_id })
  const reply = await call(deps, { url: `${SERVICE}.getJobStatus?${query}`, originKey })
  if (reply.status >= 300) throw faultOf(deps, reply)
  const { state, blob, message } = jobOf(reply)
  if (blob !== undefined && blob !== null) return blob
  if (state === 'JOB_STATE_FAILED') {
    const reason = typeof message === 'string' ? message : 'The video could not be processed.'
    throw new NetworkFault({ kind: 'failed', code: 'rejected_by_network', message: reason })
  }
  throw new NetworkFault({
    kind: 'processing',
    message: 'Bluesky is still processing the video.',
    retry_after_s: POLL_S,
  })
}

/** Uploads return the job itself, and questions about it within `jobStatus`. */
function jobOf(reply: Reply) {
  const body = fieldsOf(jsonOf(reply))
  return fieldsOf(body.jobStatus ?? body)
}

const faultOf = (deps: Deps, reply: Reply) =>
  faultOfReply(reply, { message: messageOf(reply, 'The video service', ['message', 'error']) }, deps.clock.now())
