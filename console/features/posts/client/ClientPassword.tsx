import { Button, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isCode } from '../../../api'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { AccessiblePasswordInput } from '../../../ui/fields/AccessiblePasswordInput'
import { openClientLink } from './queries'

/** Asks for the password of a link before anything of it is shown. */
export function ClientPassword({ id, onOpened }: { id: string; onOpened: () => Promise<unknown> }) {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const open = useMutation({ mutationFn: () => openClientLink(id, password), onSuccess: onOpened })
  const isWrong = isCode(open.error, 'password_wrong')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        open.mutate()
      }}
    >
      <Stack gap="md" maw={400} mx="auto" mt="12vh">
        <div>
          <Lock size={28} aria-hidden="true" color="var(--mantine-color-anchor)" />
          <Title order={1} size="h2" mb="xs">
            {t('client.password_title')}
          </Title>
          <Text c="dimmed">{t('client.password_about')}</Text>
        </div>
        {open.error && !isWrong && <ProblemAlert error={open.error} />}
        <AccessiblePasswordInput
          label={t('client.password')}
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          error={isWrong && t('problem.password_wrong')}
          autoComplete="off"
          maxLength={200}
          required
        />
        <Button type="submit" size="md" loading={open.isPending}>
          {t('client.password_open')}
        </Button>
      </Stack>
    </form>
  )
}
