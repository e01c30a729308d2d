import type { DragEvent } from 'react'

/** The handlers of an element on which something can be dropped. It has `data-over` while that is above it. */
export const dropTarget = ({ accepts, onDrop }: { accepts: () => boolean; onDrop: () => void }) => ({
  onDragOver: (event: DragEvent<HTMLElement>) => {
    if (!accepts()) return
    event.preventDefault()
    event.currentTarget.dataset.over = ''
  },
  onDragLeave: (event: DragEvent<HTMLElement>) => {
    delete event.currentTarget.dataset.over
  },
  onDrop: (event: DragEvent<HTMLElement>) => {
    delete event.currentTarget.dataset.over
    event.preventDefault()
    if (accepts()) onDrop()
  },
})
