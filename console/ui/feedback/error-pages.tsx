import { Button, Center, Stack, Text, Title } from '@mantine/core'
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { isUnreachable } from '../../api'
import { MissingCodeError, reloadIfReachable } from '../../load-code'
import { useFlag } from '../flag'
import { Logo } from '../layout/Logo'
import { useDocumentTitle } from '../layout/useDocumentTitle'
import { ProblemAlert } from './ProblemAlert'

/** Whether the content is already inside `<main>`, which a page has only once. */
export const InsideMainContext = createContext(false)

function FullPage({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(title)
  return (
    <Center component={useContext(InsideMainContext) ? 'div' : 'main'} mih="60vh" p="md">
      <Stack align="center" maw={480} gap="md">
        <Logo size={44} />
        {children}
      </Stack>
    </Center>
  )
}

export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const retry = () => {
    // Browsers may keep the failure of an import.
    if (error instanceof MissingCodeError) return void reloadIfReachable()
    reset()
    void router.invalidate()
  }
  useWhenReachable(retry)
  return (
    <FullPage title={t('ui.wrong')}>
      <ProblemAlert error={error} onRetry={retry} />
    </FullPage>
  )
}

/** Calls `act` when Meydan responds again after it did not. */
function useWhenReachable(act: () => void) {
  const lost = useFlag(isUnreachable)
  const wasLost = useRef(lost)
  useEffect(() => {
    if (wasLost.current && !lost) act()
    wasLost.current = lost
  })
}

export function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <FullPage title={t('ui.not_found')}>
      <Title order={1}>{t('ui.not_found')}</Title>
      <Text c="dimmed" ta="center">
        {t('ui.not_found_detail')}
      </Text>
      <Button component={Link} to="/">
        {t('ui.home')}
      </Button>
    </FullPage>
  )
}
