import { Group, Text } from '@mantine/core'
import { Eye } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './comments.module.css'
import type { Audience } from './queries'

/** Encloses a form for the client in another color, with a line that says who reads it. */
export function AudienceBox({ audience, children }: { audience: Audience; children: ReactNode }) {
  const { t } = useTranslation()
  if (audience === 'team') return children
  return (
    <div className={classes.client}>
      <Group gap="xs" wrap="nowrap" align="start" mb="xs">
        <Eye size={18} className={classes.icon} aria-hidden="true" />
        <Text fz="sm" fw={600}>
          {t('comments.about_client')}
        </Text>
      </Group>
      {children}
    </div>
  )
}
