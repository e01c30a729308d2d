import { Button, Group, Text } from '@mantine/core'
import { focusManager } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { type Me, queryClient, signedOut } from '../../api'
import { Dialog } from '../../ui/Dialog'
import { useFlag } from '../../ui/flag'
import { meQuery, readMe } from './queries'

/** Stands over the page when its session has ended. The page stays as it is, until the same person is back. */
export function SessionOver({ me: { id } }: { me: Me }) {
  const { t } = useTranslation()
  const over = useFlag(signedOut)
  const here = useRouterState({ select: ({ location }) => location.href })
  useEffect(() => {
    if (!over) return
    const look = async () => {
      if (document.visibilityState === 'hidden') return
      const me = await readMe().catch(() => undefined)
      if (!me) return
      // What is shown is not for somebody else.
      if (me.id !== id) return location.reload()
      signedOut.set(false)
      queryClient.setQueryData(meQuery.queryKey, me)
      await queryClient.invalidateQueries()
    }
    // The queries' own clocks stand still as long as they believe that nobody looks.
    focusManager.setFocused(false)
    window.addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    // The refusal may be one of a call that was begun before signing in again.
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
        {/* Loads the page anew: nothing of the session is left then, and the browser asks about what is not saved. */}
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
