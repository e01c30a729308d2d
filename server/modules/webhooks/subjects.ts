import type { EventData } from '../../events.ts'

type About = Partial<
  EventData<'post.created'> & EventData<'account.refresh_failed'> & EventData<'team.invitation.accepted'>
>

const TEXT_LENGTH = 80
/** What is larger is a post with many variants. Looking into a page of them would keep others waiting. */
export const LOOKED_INTO = 32_768

/** What an event is about, in a few words. Of tests there is nothing to say. */
export function subjectOf(payload: string | null) {
  if (payload === null) return null
  const { data }: { data?: About } = JSON.parse(payload)
  const { post, account, invitation } = data ?? {}
  if (post) return { id: post.id, text: beginningOf(post.content) }
  if (account) return { id: account.id, text: beginningOf(account.handle) }
  return invitation ? { id: invitation.id, text: beginningOf(invitation.email) } : null
}

const beginningOf = (text: string) => [...text.replaceAll(/\s+/g, ' ').trim()].slice(0, TEXT_LENGTH).join('')
