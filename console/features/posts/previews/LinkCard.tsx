import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { type Network, unwrap, workspaceApi } from '../../../api'
import { useWorkspace } from '../../workspaces/queries'
import classes from './previews.module.css'

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

const NOT_READ = { title: '', description: null, image: null }

type Props = {
  link: string
  style: NonNullable<Network['preview']['link_card']>
  /** Title in place of the one that the page has. */
  title?: string
  /** Whether the card shows only what the post says, because the network does not read the page. */
  isFromPost?: boolean
}

/** The card of a link, as networks show it below a text. Nothing while there is none. */
export function LinkCard({ link: current, style, title: own, isFromPost = false }: Props) {
  const { slug } = useWorkspace()
  const [link] = useDebouncedValue(current, PAUSE_MS)
  const { data } = useQuery({ ...linkPreviewQuery(slug, link), enabled: link !== '' && !isFromPost })
  const card = isFromPost ? NOT_READ : data?.card
  if (link === '' || !card || !URL.canParse(link)) return null
  const { description, image } = card
  const title = own || card.title || new URL(link).hostname
  const host = new URL(link).host.replace(/^www\./, '')
  return (
    <div className={classes.card} data-style={image || style === 'quote' ? style : 'compact'}>
      {image && (
        <span className={classes.cardImage}>
          <img src={image} alt="" />
          {style === 'overlay' && <span className={classes.cardOverlay}>{title}</span>}
        </span>
      )}
      <div className={classes.cardText}>
        <span className={classes.cardHost}>{host}</span>
        {(style !== 'overlay' || !image) && (
          <b className={classes.cardTitle} dir="auto">
            {title}
          </b>
        )}
        {description && style !== 'overlay' && (
          <span className={classes.cardAbout} dir="auto">
            {description}
          </span>
        )}
      </div>
    </div>
  )
}
