import { queryOptions, useQuery } from '@tanstack/react-query'
import { Flag, StickyNote } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type CalendarNote, unwrap, workspaceApi } from '../../../../api'
import { useWorkspace } from '../../../workspaces/queries'
import classes from './DayNotes.module.css'

const notesQuery = (workspace: string, from: string, to: string) =>
  queryOptions({
    queryKey: ['calendar-notes', workspace, from, to],
    queryFn: () =>
      unwrap(workspaceApi(workspace).GET('/api/v1/calendar-notes', { params: { query: { from, to } } })).then(
        ({ data }) => data,
      ),
    // Those of another workspace could not be opened.
    placeholderData: (before, query) => (query?.queryKey[1] === workspace ? before : undefined),
  })

/** The notes of the team from one day to another, exclusive, by day. */
export function useCalendarNotes(from: string, to: string) {
  const { slug } = useWorkspace()
  const { data, error } = useQuery(notesQuery(slug, from, to))
  const notes = useMemo(() => Map.groupBy(data ?? [], ({ day }) => day), [data])
  return { notes, error }
}

/** The holiday and the notes of a day. A click opens a note, whose text may be longer than its line. */
export function DayNotes({
  holiday,
  notes,
  onOpen,
}: {
  holiday: string | undefined
  notes: CalendarNote[] | undefined
  onOpen: (note: CalendarNote) => void
}) {
  const { t } = useTranslation()
  if (!holiday && !notes?.length) return null
  return (
    <ul className={classes.notes} aria-label={t('calendar_notes.list')}>
      {holiday && (
        <li className={classes.holiday} title={holiday}>
          <Flag size={12} aria-hidden="true" />
          <span>{holiday}</span>
        </li>
      )}
      {notes?.map((note) => (
        <li key={note.id}>
          <button type="button" className={classes.note} title={note.text} onClick={() => onOpen(note)}>
            <StickyNote size={12} aria-hidden="true" />
            <span dir="auto">{note.text}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
