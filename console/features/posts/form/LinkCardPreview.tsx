import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { unwrap, workspaceApi } from '../../../api'
import { firstLink } from '../../networks/characters'
import { useWorkspace } from '../../workspaces/queries'
import classes from '../posts.module.css'

/** Pause in typing after which a link counts as complete, in milliseconds. */
const PAUSE_MS = 600
const FRESH_MS = 5 * 60_000

const linkPreviewQuery = (workspace: string, url: string) =>
  queryOptions({
    queryKey: ['link-preview', workspace, url],
    queryFn: ({ signal }) =>
      unwrap(workspaceApi(workspace).GET('/api/v1/posts/link-preview', { params: { query: { url } }, signal })),
    staleTime: FRESH_MS,
    retry: false,
    placeholderData: keepPreviousData,
  })

/** The card of the first link of a text, as networks show it below. Nothing while there is none. */
export function LinkCardPreview({ text }: { text: string }) {
  const { slug } = useWorkspace()
  const [link = ''] = useDebouncedValue(firstLink(text), PAUSE_MS)
  const { data } = useQuery({ ...linkPreviewQuery(slug, link), enabled: link !== '' })
  if (link === '' || !data?.card || !URL.canParse(link)) return null
  const { title, description, image } = data.card
  return (
    <div className={classes.linkCard}>
      {image && <img src={image} alt="" />}
      <div>
        <Text fw={600} fz="sm" lineClamp={2} dir="auto">
          {title}
        </Text>
        {description && (
          <Text fz="sm" c="dimmed" lineClamp={2} dir="auto">
            {description}
          </Text>
        )}
        <Text fz="xs" c="dimmed" truncate>
          {new URL(link).host}
        </Text>
      </div>
    </div>
  )
}
