import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrap, workspaceApi } from '../../../../api'
import { Dialog } from '../../../../ui/dialog/Dialog'
import { DialogActions } from '../../../../ui/dialog/DialogActions'
import { ProblemAlert } from '../../../../ui/feedback/ProblemAlert'
import { isAtLeast, settingsQuery, useWorkspace, workspacesQuery } from '../../../workspaces/queries'
import { HolidayCountryField } from '../../../workspaces/settings/HolidayCountryField'

/** Changes the country whose holidays the workspace has, or shows it to those who may not change it. */
export function HolidayDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const { slug, timezone } = workspace
  const mayChange = isAtLeast(workspace, 'admin')
  const [country, setCountry] = useState(workspace.holiday_country ?? null)
  const save = useMutation({
    mutationFn: () => unwrap(workspaceApi(slug).PATCH('/api/v1/workspace', { body: { holiday_country: country } })),
    onSuccess: async (changed) => {
      queryClient.setQueryData(workspacesQuery.queryKey, (known) =>
        known?.map((one) => (one.id === changed.id ? changed : one)),
      )
      onClose()
      await queryClient.invalidateQueries({ queryKey: settingsQuery(slug).queryKey })
    },
  })
  return (
    <Dialog opened onClose={onClose} title={t(mayChange ? 'calendar_holidays.choose' : 'calendar_holidays.title')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Stack gap="sm">
          <HolidayCountryField value={country} onChange={setCountry} timezone={timezone} readOnly={!mayChange} />
          {!mayChange && <Text c="dimmed">{t('calendar_holidays.read_only')}</Text>}
          {save.error && <ProblemAlert error={save.error} />}
          {mayChange && (
            <DialogActions>
              <Button variant="default" onClick={onClose}>
                {t('ui.cancel')}
              </Button>
              <Button type="submit" loading={save.isPending}>
                {t('calendar_holidays.save')}
              </Button>
            </DialogActions>
          )}
        </Stack>
      </form>
    </Dialog>
  )
}
