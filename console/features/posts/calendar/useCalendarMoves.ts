import {
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import type { PostSummary } from '../../../api'
import { dropTarget } from '../../../ui/layout/drop-target'
import { moveWall, toWall, type Wall } from '../../../ui/text/time-zone'
import type { View } from '../search-params'
import { type Cell, type Entry, hasDays, MORNING } from './CalendarCells'

type Step = { days?: number; hours?: number }
const steps = (view: View): Record<string, Step> => ({
  ArrowLeft: { days: -1 },
  ArrowRight: { days: 1 },
  ArrowUp: hasDays(view) ? { days: -7 } : { hours: -1 },
  ArrowDown: hasDays(view) ? { days: 7 } : { hours: 1 },
})

/** Moves a post to another time. `soon`: more such moves may follow at once. */
export type Move = (post: PostSummary, to: Wall | ((from: Wall) => Wall), options?: { soon: boolean }) => void

type Input = {
  board: RefObject<HTMLTableElement | null>
  cells: Map<Cell, Entry[]>
  posts: PostSummary[]
  zone: string
  view: View
  draft: RefObject<PostSummary | undefined>
  mayMove: (post: PostSummary) => boolean
  onMove: Move
  onOpen: (post: PostSummary) => void
  onPlan: (draft: PostSummary, wall: Wall) => void
}

/** Opens posts by clicks, and moves them by dragging or by keys. One handler serves all posts of the board. */
export function useCalendarMoves({ board, cells, posts, zone, view, draft, mayMove, onMove, onOpen, onPlan }: Input) {
  const byId = useMemo(() => new Map(posts.map((post) => [post.id, post])), [posts])
  const focused = useRef<string>(undefined)
  const dragged = useRef<PostSummary>(undefined)

  // A post moved by keyboard is rendered in another cell. It gets the focus back before the next key.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of cells
  useLayoutEffect(() => {
    if (focused.current) board.current?.querySelector<HTMLElement>(`[data-event-id="${focused.current}"]`)?.focus()
  }, [cells])

  const postAt = ({ target }: { target: EventTarget }) =>
    target instanceof Element
      ? byId.get(target.closest<HTMLElement>('[data-event-id]')?.dataset.eventId ?? '')
      : undefined
  /** The attributes of a cell. */
  const dropOn = (cell: Cell) =>
    dropTarget({
      accepts: () => (dragged.current ?? draft.current) !== undefined,
      onDrop: () => {
        if (draft.current) return onPlan(draft.current, hasDays(view) ? `${cell} ${MORNING}` : `${cell}:00:00`)
        const post = dragged.current
        if (!post?.scheduled_at) return
        const wall = toWall(zone, post.scheduled_at)
        const moved = `${cell}${wall.slice(cell.length)}`
        if (moved !== wall) onMove(post, moved)
      },
    })
  return {
    focused: focused.current,
    dropOn,
    boardProps: {
      onClick: (event: MouseEvent) => {
        const post = postAt(event)
        // The browser handles clicks that open another tab.
        if (!post || event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        onOpen(post)
      },
      onKeyDown: (event: KeyboardEvent) => {
        const post = postAt(event)
        const step = event.shiftKey && steps(view)[event.key]
        if (!post?.scheduled_at || !step || !mayMove(post)) return
        event.preventDefault()
        focused.current = post.id
        onMove(post, (from) => moveWall(from, step), { soon: true })
      },
      onBlur: () => {
        focused.current = undefined
      },
      onDragStart: (event: DragEvent) => {
        dragged.current = postAt(event)
        event.dataTransfer.effectAllowed = 'move'
      },
      onDragEnd: () => {
        dragged.current = undefined
      },
    },
  }
}
