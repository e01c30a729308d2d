import {
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { DAY } from '../../../../../shared/time'
import type { PostSummary } from '../../../../api'
import { dropTarget } from '../../../../ui/layout/drop-target'
import { dayOf, moveWall, toWall, type Wall } from '../../../../ui/text/time-zone'
import type { View } from '../../search-params'
import { type Cell, type Entry, hasDays, MORNING } from '../CalendarCells'

export type Step = { days?: number; hours?: number }
const steps = (view: View): Record<string, Step> => ({
  ArrowLeft: { days: -1 },
  ArrowRight: { days: 1 },
  ArrowUp: hasDays(view) ? { days: -7 } : { hours: -1 },
  ArrowDown: hasDays(view) ? { days: 7 } : { hours: 1 },
})

/** The days and hours between two times whose minutes are the same. */
function stepBetween(from: Wall, to: Wall): Step {
  const days = (Date.parse(dayOf(to)) - Date.parse(dayOf(from))) / DAY
  return { days, hours: Number(to.slice(11, 13)) - Number(from.slice(11, 13)) }
}

/** The time of a post that is put into an empty cell. */
const wallIn = (cell: Cell, view: View): Wall => (hasDays(view) ? `${cell} ${MORNING}` : `${cell}:00:00`)

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
  picked: PostSummary | undefined
  onCancelPick: () => void
  /** Whether a post is among several that are selected, which move together. */
  isSelected: (post: PostSummary) => boolean
  /** Whether a click selects a post instead of opening it. */
  isSelecting: boolean
  onToggle: (post: PostSummary) => void
  onMoveSelected: (step: Step) => void
}

/** Opens posts by clicks, and moves them by dragging or by keys. One handler serves all posts of the board. */
export function useCalendarMoves({
  board,
  cells,
  posts,
  zone,
  view,
  draft,
  mayMove,
  onMove,
  onOpen,
  onPlan,
  ...input
}: Input) {
  const byId = useMemo(() => new Map(posts.map((post) => [post.id, post])), [posts])
  const focused = useRef<string>(undefined)
  const dragged = useRef<PostSummary>(undefined)

  // A post moved by keyboard is rendered in another cell. It gets the focus back before the next key.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of cells
  useLayoutEffect(() => {
    if (focused.current) board.current?.querySelector<HTMLElement>(`[data-event-id="${focused.current}"]`)?.focus()
  }, [cells])

  const chooseByKey = useCellChoice(board, view, input)
  const { isSelected, isSelecting, onToggle, onMoveSelected } = input

  const postAt = ({ target }: { target: EventTarget }) =>
    target instanceof Element
      ? byId.get(target.closest<HTMLElement>('[data-event-id]')?.dataset.eventId ?? '')
      : undefined
  /** The attributes of a cell. */
  const dropOn = (cell: Cell) =>
    dropTarget({
      accepts: () => (dragged.current ?? draft.current) !== undefined,
      onDrop: () => {
        if (draft.current) return onPlan(draft.current, wallIn(cell, view))
        const post = dragged.current
        if (!post?.scheduled_at) return
        const wall = toWall(zone, post.scheduled_at)
        const moved = `${cell}${wall.slice(cell.length)}`
        if (moved === wall) return
        if (isSelected(post)) onMoveSelected(stepBetween(wall, moved))
        else onMove(post, moved)
      },
    })
  return {
    focused: focused.current,
    dropOn,
    boardProps: {
      onClick: (event: MouseEvent) => {
        const post = postAt(event)
        // The browser handles clicks that open another window.
        if (!post || event.shiftKey) return
        event.preventDefault()
        if (isSelecting || event.metaKey || event.ctrlKey) onToggle(post)
        else onOpen(post)
      },
      onKeyDown: (event: KeyboardEvent) => {
        if (chooseByKey(event)) return
        const post = postAt(event)
        const step = event.shiftKey && steps(view)[event.key]
        if (post && event.key === ' ') {
          event.preventDefault()
          onToggle(post)
        }
        if (!post?.scheduled_at || !step || !mayMove(post)) return
        event.preventDefault()
        focused.current = post.id
        if (isSelected(post)) return onMoveSelected(step)
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

/**
 * Lets arrow keys choose the cell for the post that was picked: the focus begins in the first cell that is not past. Returns
 * the handler of keys, which says whether the key was one of these.
 */
function useCellChoice(
  board: Input['board'],
  view: View,
  { picked, onCancelPick }: Pick<Input, 'picked' | 'onCancelPick'>,
) {
  const isPicking = picked !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cells of another view are others
  useEffect(() => {
    if (isPicking) board.current?.querySelector<HTMLElement>('[data-cell]')?.focus()
  }, [board, isPicking, view])
  return (event: KeyboardEvent) => {
    const { key, target, shiftKey } = event
    const cell = isPicking && target instanceof HTMLElement ? target.dataset.cell : undefined
    if (cell === undefined) return false
    if (key === 'Escape') {
      onCancelPick()
      return true
    }
    const step = !shiftKey && steps(view)[key]
    if (!step) return false
    event.preventDefault()
    const next = moveWall(wallIn(cell, view), step).slice(0, cell.length)
    board.current?.querySelector<HTMLElement>(`[data-cell="${next}"]`)?.focus()
    return true
  }
}
