import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CalendarNote, queryClient, unwrap, workspaceApi } from '../../../../api'
import { Dialog } from '../../../../ui/dialog/Dialog'
import { DialogActions } from '../../../../ui/dialog/DialogActions'
import { ProblemAlert } from '../../../../ui/feedback/ProblemAlert'
import { useIdempotencyKey } from '../../../../ui/forms/useIdempotencyKey'
import { useWorkspace } from '../../../workspaces/queries'

const MAX_LENGTH = 500

/** Creates a note on a day, changes one, or shows it to those who may not write. */
export function NoteDialog({
  note,
  day,
  mayWrite,
  onClose,
}: {
  note?: CalendarNote
  day: string
  mayWrite: boolean
  onClose: () => void
}) {
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
            readOnly={!mayWrite}
            required
          />
          <TextInput
            type="date"
            label={t('calendar_notes.day')}
            value={values.day}
            readOnly={!mayWrite}
            onChange={({ currentTarget: { value } }) => setValues((before) => ({ ...before, day: value }))}
            required
          />
          {error && <ProblemAlert error={error} />}
          {mayWrite && (
            <DialogActions justify="space-between">
              {note ? (
                <Button
                  variant="default"
                  color="coral"
                  loading={remove.isPending}
                  onClick={() => remove.mutate(note.id)}
                >
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
          )}
        </Stack>
      </form>
    </Dialog>
  )
}
