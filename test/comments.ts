import type { Client } from './client.ts'
import { expectStatus } from './factories.ts'

/** A new comment on a post, and its path. */
export async function newComment(person: Client, post_id: string) {
  const comments = `/api/v1/posts/${post_id}/comments`
  const { id } = expectStatus(await person.post(comments, { body: 'Too long?' }), 201).body
  return { id: id as string, path: `${comments}/${id}` }
}
