import { getRouteApi, useCanGoBack, useRouter } from '@tanstack/react-router'
import type { Post } from '../../../api'
import { toWall, type Wall } from '../../../ui/text/time-zone'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import type { CalendarSearch } from '../search-params'

const route = getRouteApi('/signed-in/shell/w/$workspace/calendar')

/** The panel that writes a post, which the address keeps open. `follow` shows the time of a saved post. */
export function useComposePanel(follow: (wall: Wall) => void) {
  const workspace = useWorkspace()
  const { compose, at } = route.useSearch()
  const navigate = route.useNavigate()
  const { history } = useRouter()
  const canGoBack = useCanGoBack()
  /** `isSame`: the panel goes on with the post that it has, which may have got an id. */
  const show = (changed: CalendarSearch, replace: boolean, isSame = changed.compose === compose) =>
    navigate({
      search: (before) => ({ ...before, ...changed }),
      replace,
      resetScroll: false,
      // The form stays.
      ignoreBlocker: compose !== undefined && changed.compose !== undefined && isSame,
    })
  return {
    compose: isAtLeast(workspace, 'author') ? compose : undefined,
    at,
    /** Opens the panel for a post at a time. Of a post that is written already, it changes the time. */
    open: (wall: Wall, post = compose ?? 'new') => void show({ compose: post, at: wall }, compose !== undefined),
    change: (post: string) => show({ compose: post, ...(post === 'new' && { at: undefined }) }, true, true),
    /** Goes back to where the panel was opened. */
    close: () => (canGoBack ? history.back() : void show({ compose: undefined, at: undefined }, true)),
    end: (post: Post, isWaiting: boolean) => {
      if (!isWaiting)
        return void navigate({ to: '/w/$workspace/posts/$post', params: { workspace: workspace.slug, post: post.id } })
      void show({ compose: undefined, at: undefined }, true).then(() => {
        if (post.scheduled_at) follow(toWall(workspace.timezone, post.scheduled_at))
      })
    },
  }
}
