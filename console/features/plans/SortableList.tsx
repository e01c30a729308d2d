import {
  type Announcements,
  closestCenter,
  DndContext,
  KeyboardSensor,
  type Modifier,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { ActionIcon } from '@mantine/core'
import { GripVertical } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './SortableList.module.css'

const upAndDown: Modifier = ({ transform }) => ({ ...transform, x: 0 })

/**
 * Rows that the user reorders by their handles: with a mouse, a finger, or Space and the arrow keys. Screen readers
 * announce each step. `onMove` gets the old and the new index.
 */
export function SortableList({
  ids,
  nameOf,
  onMove,
  children,
}: {
  ids: string[]
  nameOf: (id: string) => string
  onMove: (from: number, to: number) => void
  children: ReactNode
}) {
  const { t } = useTranslation()
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const last = useRef<UniqueIdentifier>(undefined)
  const said = (active: UniqueIdentifier, over: UniqueIdentifier) => ({
    name: nameOf(String(active)),
    position: ids.indexOf(String(over)) + 1,
    all: ids.length,
  })
  const announcements: Announcements = {
    onDragStart: ({ active }) => {
      last.current = active.id
      return t('admin.plans.order_taken', said(active.id, active.id))
    },
    onDragOver: ({ active, over }) => {
      // A row starts over itself: announcing that would mask the pick-up.
      if (!over || over.id === last.current) return undefined
      last.current = over.id
      return t('admin.plans.order_over', said(active.id, over.id))
    },
    onDragEnd: ({ active, over }) => t('admin.plans.order_put', said(active.id, over?.id ?? active.id)),
    onDragCancel: ({ active }) => t('admin.plans.order_left', said(active.id, active.id)),
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={[upAndDown]}
      accessibility={{ announcements, screenReaderInstructions: { draggable: t('admin.plans.order_how') } }}
      onDragEnd={({ active, over }) => {
        if (over && over.id !== active.id) onMove(ids.indexOf(String(active.id)), ids.indexOf(String(over.id)))
      }}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  )
}

/** Props for a row: its position in the list and its handle. */
export function useSortableRow<Node extends HTMLElement>(id: string, name: string) {
  const { t } = useTranslation()
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({
    id,
    attributes: { roleDescription: t('admin.plans.order_handle') },
  })
  return {
    row: {
      ref: (node: Node | null) => setNodeRef(node),
      style: { transform: CSS.Translate.toString(transform), transition },
      'data-dragging': isDragging || undefined,
    },
    handle: (
      <ActionIcon
        ref={setActivatorNodeRef}
        variant="subtle"
        color="gray"
        size={34}
        className={classes.handle}
        {...attributes}
        {...listeners}
        aria-label={t('admin.plans.order_one', { name })}
      >
        <GripVertical size={18} />
      </ActionIcon>
    ),
  }
}
