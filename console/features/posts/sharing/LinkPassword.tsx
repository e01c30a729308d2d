import { Button, Group, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { AccessiblePasswordInput } from '../../../ui/fields/AccessiblePasswordInput'
import { useWorkspace } from '../../workspaces/queries'

/** Sets, changes or removes the password of a client link. */
export function LinkPassword({
  id,
  name,
  hasPassword,
  onChanged,
}: {
  id: string
  name: string
  hasPassword: boolean
  onChanged: () => void
}) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const [password, setPassword] = useState<string>()
  const change = useMutation({
    mutationFn: (password: string | null) =>
      unwrap(
        workspaceApi(slug).PUT('/api/v1/client-links/{id}/password', { params: { path: { id } }, body: { password } }),
      ),
    onSuccess: () => {
      setPassword(undefined)
      onChanged()
    },
  })
  if (password === undefined)
    return (
      <Button
        variant="subtle"
        size="compact-sm"
        ml={-8}
        aria-label={t(hasPassword ? 'client_links.password_change_of' : 'client_links.password_set_of', { name })}
        onClick={() => setPassword('')}
      >
        {t(hasPassword ? 'client_links.password_change' : 'client_links.password_set')}
      </Button>
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate(password)
      }}
    >
      <Stack gap="xs" mt="xs">
        {change.error && <ProblemAlert error={change.error} />}
        <AccessiblePasswordInput
          label={t('client_links.password_new')}
          description={t('client_links.password_ends')}
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          autoComplete="new-password"
          minLength={8}
          maxLength={200}
          required
        />
        <Group gap="xs">
          <Button type="submit" size="xs" loading={change.isPending && change.variables !== null}>
            {t('client_links.password_save')}
          </Button>
          {hasPassword && (
            <Button
              variant="default"
              size="xs"
              loading={change.isPending && change.variables === null}
              onClick={() => change.mutate(null)}
            >
              {t('client_links.password_remove')}
            </Button>
          )}
          <Button variant="subtle" size="xs" onClick={() => setPassword(undefined)}>
            {t('ui.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
