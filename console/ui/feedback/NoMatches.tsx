import { Button } from '@mantine/core'
import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from './EmptyState'

type Props = { title: string; onClear: () => void; children: ReactNode }

/** Replaces a list that its filters leave empty. Has a button that clears them. */
export function NoMatches({ title, onClear, children }: Props) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon={<Search size={26} />}
      title={title}
      action={
        <Button variant="default" onClick={onClear}>
          {t('posts.clear')}
        </Button>
      }
    >
      {children}
    </EmptyState>
  )
}
