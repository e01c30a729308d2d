import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { StickyNote } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CalendarNote, queryClient, unwrap, workspaceApi } from '../../../api'
import { Dialog } from '../../../ui/dialog/Dialog'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { useWorkspace } from '../../workspaces/queries'
import classes from './CalendarNotes.module.css'

const MAX_LENGTH = 500

const notesQuery = (workspace: string, from: string, to: string) =>
  queryOptions({
    queryKey: ['calendar-notes', workspace, from, to],
    queryFn: () =>
      unwrap(workspaceApi(workspace).GET('/api/v1/calendar-notes', { params: { query: { from, to } } })).then(
        ({ data }) => data,
      ),
    placeholderData: keepPreviousData,
  })

/** The notes of the team from one day to another, exclusive, by day. */
export function useCalendarNotes(from: string, to: string) {
  const { slug } = useWorkspace()
  const { data, error } = useQuery(notesQuery(slug, from, to))
  const notes = useMemo(() => Map.groupBy(data ?? [], ({ day }) => day), [data])
  return { notes, error }
}

/** The notes of a day. Those who may write open one to change it. */
export function DayNotes({
  notes,
  onOpen,
}: {
  notes: CalendarNote[] | undefined
  onOpen: ((note: CalendarNote) => void) | undefined
}) {
  const { t } = useTranslation()
  if (!notes?.length) return null
  return (
    <ul className={classes.notes} aria-label={t('calendar_notes.list')}>
      {notes.map((note) => (
        <li key={note.id}>
          <button
            type="button"
            className={classes.note}
            disabled={!onOpen}
            title={note.text}
            onClick={() => onOpen?.(note)}
          >
            <StickyNote size={12} aria-hidden="true" />
            <span dir="auto">{note.text}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Creates a note on a day, or changes one. */
export function NoteDialog({ note, day, onClose }: { note?: CalendarNote; day: string; onClose: () => void }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const once = useIdempotencyKey()
  const [values, setValues] = useState({ day: note?.day ?? day, text: note?.text ?? '' })
  const onSuccess = async () => {
    await queryClient.invalidateQueries({ queryKey: ['calendar-notes', slug] })
    onClose()
  }
  const save = useMutation({
    mutationFn: () => {
      const client = workspaceApi(slug)
      if (!note)
        return once(values, (headers) => unwrap(client.POST('/api/v1/calendar-notes', { body: values, headers })))
      const params = { path: { id: note.id } }
      const headers = { 'if-match': `"${note.version}"` }
      return unwrap(client.PATCH('/api/v1/calendar-notes/{id}', { params, body: values, headers }))
    },
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: (id: string) =>
      unwrap(workspaceApi(slug).DELETE('/api/v1/calendar-notes/{id}', { params: { path: { id } } })),
    onSuccess,
  })
  const error = save.error ?? remove.error
  return (
    <Dialog opened onClose={onClose} title={t(note ? 'calendar_notes.change' : 'calendar_notes.add')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Stack gap="sm">
          <Textarea
            label={t('calendar_notes.text')}
            description={t('calendar_notes.about')}
            value={values.text}
            onChange={({ currentTarget: { value: text } }) => setValues((before) => ({ ...before, text }))}
            maxLength={MAX_LENGTH}
            autosize
            minRows={2}
            required
          />
          <TextInput
            type="date"
            label={t('calendar_notes.day')}
            value={values.day}
            onChange={({ currentTarget: { value } }) => setValues((before) => ({ ...before, day: value }))}
            required
          />
          {error && <ProblemAlert error={error} />}
          <DialogActions justify="space-between">
            {note ? (
              <Button variant="default" color="coral" loading={remove.isPending} onClick={() => remove.mutate(note.id)}>
                {t('calendar_notes.delete')}
              </Button>
            ) : (
              <span />
            )}
            <Group gap="sm">
              <Button variant="default" onClick={onClose}>
                {t('ui.cancel')}
              </Button>
              <Button type="submit" loading={save.isPending}>
                {t('calendar_notes.save')}
              </Button>
            </Group>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}
