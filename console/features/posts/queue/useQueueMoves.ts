import { useMutation } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import { queryClient, unwrap, workspaceApi } from '../../../api'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { dropTarget } from '../../../ui/layout/drop-target'
import { useWorkspace } from '../../workspaces/queries'

type Move = { post_id: string; before: string }
type Swap = { post: string; by: 1 | -1 }

/** Moves queued posts by dragging them, or one place up or down. `queued`: their ids, in order. */
export function useQueueMoves(account: string, queued: string[]) {
  const { slug } = useWorkspace()
  const list = useRef<HTMLDivElement>(null)
  const focused = useRef<string>(undefined)
  const dragged = useRef<string>(undefined)
  /** The press of an arrow while another move is saved. */
  const afterMove = useRef<Swap>(undefined)
  const move = useMutation({
    mutationFn: (body: Move) =>
      unwrap(workspaceApi(slug).POST('/api/v1/accounts/{id}/queue/move', { params: { path: { id: account } }, body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['posts', slug] }),
    onError: useErrorNotification(),
  })
  const swap = ({ post, by }: Swap) => {
    if (move.isPending) {
      afterMove.current = { post, by }
      return
    }
    const index = queued.indexOf(post)
    const [post_id, before] = by === 1 ? [queued[index + 1], post] : [post, queued[index - 1]]
    if (!post_id || !before) return
    focused.current = post
    move.mutate({ post_id, before })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the order
  useLayoutEffect(() => {
    if (move.isPending) return
    // A moved post is rendered at another place. Its button gets the focus back.
    if (focused.current) {
      const buttons = list.current?.querySelectorAll<HTMLButtonElement>(`[data-post="${focused.current}"] button`)
      const enabled = [...(buttons ?? [])].filter(({ disabled }) => !disabled)
      if (!enabled.some((button) => button === document.activeElement)) enabled[0]?.focus()
      focused.current = undefined
    }
    const waiting = afterMove.current
    afterMove.current = undefined
    if (waiting) swap(waiting)
  }, [queued.join(), move.isPending])

  const dropOn = (post: string) =>
    dropTarget({
      accepts: () => dragged.current !== undefined && dragged.current !== post,
      onDrop: () => dragged.current && move.mutate({ post_id: dragged.current, before: post }),
    })
  /** The attributes of a row. `post`: undefined for a free slot. */
  const dragProps = (post: string | undefined, movable: boolean) => ({
    draggable: movable,
    onDragStart: () => {
      dragged.current = post
    },
    onDragEnd: () => {
      dragged.current = undefined
    },
    ...(movable && post !== undefined && dropOn(post)),
  })
  return { list, isMoving: move.isPending, swap, dragProps }
}
