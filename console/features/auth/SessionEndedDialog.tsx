import { Button, Group, Text } from '@mantine/core'
import { focusManager } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isSignedOut, type Me, queryClient } from '../../api'
import { Dialog } from '../../ui/dialog/Dialog'
import { useFlag } from '../../ui/flag'
import { meQuery, readMe } from './queries'

/** Shown over the page when the session has ended. The page is kept until the same user signs in again. */
export function SessionEndedDialog({ me: { id } }: { me: Me }) {
  const { t } = useTranslation()
  const over = useFlag(isSignedOut)
  const here = useRouterState({ select: ({ location }) => location.href })
  useEffect(() => {
    if (!over) return
    const look = async () => {
      if (document.visibilityState === 'hidden') return
      const me = await readMe().catch(() => undefined)
      if (!me) return
      // The content is not for another user.
      if (me.id !== id) return location.reload()
      isSignedOut.set(false)
      queryClient.setQueryData(meQuery.queryKey, me)
      await queryClient.invalidateQueries()
    }
    // Pauses the queries' refetch intervals, which run only while the window has focus.
    focusManager.setFocused(false)
    window.addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    // The 401 may belong to a request sent before signing in again.
    void look()
    return () => {
      focusManager.setFocused(undefined)
      window.removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [over, id])
  return (
    <Dialog
      opened={over}
      onClose={() => undefined}
      title={t('session.over')}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      zIndex={400}
    >
      <Text mb="lg">{t('session.detail')}</Text>
      <Group justify="flex-end">
        {/* A full page load drops the session's data, and the browser asks about unsaved changes. */}
        <Button variant="default" component="a" href={`/sign-in?next=${encodeURIComponent(here)}`}>
          {t('session.leave')}
        </Button>
        <Button component="a" href="/sign-in" target="_blank" data-autofocus>
          {t('session.new_tab')}
        </Button>
      </Group>
    </Dialog>
  )
}
