import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { unwrap, workspaceApi } from '../../../api'
import { useWorkspace } from '../../workspaces/queries'
import { type PostDraft, toNewPost } from './form-values'

/** Pause in typing after which the post is validated, in milliseconds. */
const PAUSE_MS = 600

type Body = ReturnType<typeof toNewPost> & { post_id?: string }

const validationQuery = (workspace: string, body: Body) =>
  queryOptions({
    queryKey: ['post-validation', workspace, body],
    queryFn: ({ signal }) => unwrap(workspaceApi(workspace).POST('/api/v1/posts/validate', { body, signal })),
    retry: false,
    placeholderData: keepPreviousData,
  })

/** What the server says about the post as it is in the form. `post`: the id under which it is stored. */
export function useValidation(draft: PostDraft, accounts: readonly string[], post: string | undefined) {
  const { slug, timezone } = useWorkspace()
  // A time that has passed while the form is open would only be a problem.
  const timed = { ...draft, labels: [], accounts: draft.accounts.filter((id) => accounts.includes(id)) }
  const [asked] = useDebouncedValue(
    JSON.stringify({ ...toNewPost(timed, timezone), ...(post !== undefined && { post_id: post }) }),
    PAUSE_MS,
  )
  const body: Body = JSON.parse(asked)
  return useQuery({
    ...validationQuery(slug, body),
    enabled: body.targets.length > 0,
  }).data
}
