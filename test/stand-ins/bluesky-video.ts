import { fileTypeFromBuffer } from 'file-type'
import { keepBlob, type Repo, refuse } from './bluesky-repo.ts'
import type { Call, Reply } from './server.ts'

type Job = { jobId: string; did: string; bytes: Buffer; polls: number; outcome: 'ready' | 'never' | 'fails' }

const VIDEO_LIMIT = 300_000_000
const HOUR = 3600

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The token for another service, as `getServiceAuth` makes it. */
export function serviceAuth(did: string, query: URLSearchParams): Reply {
  const aud = query.get('aud') ?? ''
  const now = Math.floor(Date.now() / 1000)
  const exp = Number(query.get('exp') ?? now + 60)
  const lxm = query.get('lxm') ?? undefined
  if (!/^did:[a-z]+:[\w.:%-]+(#\w+)?$/.test(aud))
    return refuse(400, 'InvalidRequest', 'aud must be a valid atproto DID or did#serviceId reference')
  if (exp < now) return refuse(400, 'BadExpiration', 'expiration is in past')
  if (exp > now + HOUR || (!lxm && exp > now + 60))
    return refuse(400, 'BadExpiration', 'cannot request a token with an expiration that far in the future')
  const token = `${encode({ typ: 'JWT', alg: 'none' })}.${encode({ iss: did, aud, exp, lxm })}.signature`
  return { status: 200, body: { token } }
}

/**
 * The video service. Its uploads return the state of the job itself, unlike the schema, which puts it into `jobStatus`;
 * an upload that it knows is 409, with the state of the finished job.
 */
export function videoService(repo: Repo, pdsDid: () => string, processingPolls: number) {
  const jobs = new Map<string, Job>()
  let next: Job['outcome'] = 'ready'

  function show({ jobId, did, bytes, polls, outcome }: Job) {
    if (polls > 0) return { jobId, did, state: 'JOB_STATE_ENCODING', progress: 40 }
    if (outcome === 'fails')
      return {
        jobId,
        did,
        state: 'JOB_STATE_FAILED',
        error: `video processing error for job: ${jobId}`,
        failureCode: 'encoding_failure',
        message: 'Failed to process video',
      }
    return { jobId, did, state: 'JOB_STATE_COMPLETED', progress: 100, blob: keepBlob(repo, did, bytes, 'video/mp4') }
  }

  /** The reason for which the token does not allow an upload. */
  function problemOfToken({ headers, query }: Call) {
    const [, payload = ''] = (headers.authorization ?? '').replace(/^Bearer /, '').split('.')
    let claims: Record<string, unknown>
    try {
      claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    } catch {
      return 'missing or malformed token'
    }
    if (claims.aud !== pdsDid()) return `jwt audience does not match service did`
    if (claims.lxm !== 'com.atproto.repo.uploadBlob') return 'jwt lexicon method does not match'
    if (Number(claims.exp) * 1000 < Date.now()) return 'jwt expired'
    if (claims.iss !== query.get('did')) return 'jwt issuer does not match the account'
  }

  async function upload(call: Call): Promise<Reply> {
    const problem = problemOfToken(call)
    if (problem) return refuse(401, 'Unauthorized', problem)
    const did = call.query.get('did')
    if (!did || !call.query.get('name')) return refuse(400, 'InvalidRequest', 'did and name are required')
    if (call.raw.length > VIDEO_LIMIT) return refuse(400, 'video_too_large', 'The video is too large')
    if ((await fileTypeFromBuffer(call.raw))?.mime !== 'video/mp4')
      return refuse(400, 'invalid_video', 'The file is not a video')
    const known = [...jobs.values()].find((job) => job.did === did && job.bytes.equals(call.raw) && job.polls === 0)
    if (known && known.outcome === 'ready')
      return { status: 409, body: { ...show(known), error: 'already_exists', message: 'Video already processed' } }
    const polls = next === 'never' ? Number.POSITIVE_INFINITY : processingPolls
    const job = { jobId: `job${jobs.size + 1}`, did, bytes: call.raw, polls, outcome: next }
    jobs.set(job.jobId, job)
    next = 'ready'
    return { status: 200, body: { jobId: job.jobId, did, state: 'JOB_STATE_CREATED' } }
  }

  function status({ query }: Call): Reply {
    const job = jobs.get(query.get('jobId') ?? '')
    if (!job) return refuse(400, 'InvalidRequest', 'job not found')
    const body = { jobStatus: show(job) }
    if (job.polls > 0) job.polls--
    return { status: 200, body }
  }

  return {
    upload,
    status,
    setNext: (outcome: Job['outcome']) => {
      next = outcome
    },
  }
}
