/**
 * The ways in which a network fails a caller, the same for every stand-in. `stored`: how many posts a reader sees after
 * the one call that failed. `definite`: whether the response says so; after an indefinite one only a look at the
 * network can.
 */
export const faults = [
  /** An error that repeating cannot mend, in the network's format. */
  { name: 'refused', at: 'post', stored: 0, definite: true },
  /** 429, with the network's own way of naming the time. */
  { name: 'rate_limited', at: 'post', stored: 0, definite: true },
  { name: 'server_error_before_saving', at: 'post', stored: 0, definite: false },
  { name: 'server_error_after_saving', at: 'post', stored: 1, definite: false },
  /** The connection closes without a response. */
  { name: 'response_lost_before_saving', at: 'post', stored: 0, definite: false },
  { name: 'response_lost_after_saving', at: 'post', stored: 1, definite: false },
  /** No response, and the connection stays open. */
  { name: 'hangs_before_saving', at: 'post', stored: 0, definite: false },
  { name: 'hangs_after_saving', at: 'post', stored: 1, definite: false },
  /** The credentials end with this call, and stay ended. */
  { name: 'token_ends', at: 'post', stored: 0, definite: true },
  /** 2xx, but the body shows that there is no post. */
  { name: 'false_success', at: 'post', stored: 0, definite: false },
  /** The connection closes in the middle of a file. */
  { name: 'upload_cut', at: 'upload', stored: 0, definite: false },
  { name: 'upload_rate_limited', at: 'upload', stored: 0, definite: true },
  { name: 'upload_server_error', at: 'upload', stored: 0, definite: false },
  /** The file is accepted, but never becomes ready. */
  { name: 'processing_never_ends', at: 'upload', stored: 0, definite: false },
  /** The file is accepted, but found unusable later. */
  { name: 'processing_fails', at: 'upload', stored: 0, definite: true },
] as const

export type FaultName = (typeof faults)[number]['name']

/** A post as a reader of the network sees it. */
export type StoredPost = {
  id: string
  text: string
  /** One entry per file, in order. `alt`: null on networks without alternative text. */
  media: { type: string; alt: string | null }[]
  /** The `id` of the post that this one replies to. */
  replyTo: string | null
  deleted: boolean
}
