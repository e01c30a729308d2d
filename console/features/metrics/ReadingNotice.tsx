import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { components } from '../../api.gen'
import { useFormat } from '../../ui/text/format'

type Reading = Pick<components['schemas']['MetricsOfAccount'], 'read_at' | 'next_read_at' | 'error'>

/** When the numbers were read and will be again, or why not. */
export function ReadingNotice({ read_at, next_read_at, error }: Reading) {
  const { t } = useTranslation()
  const format = useFormat()
  const next = next_read_at === null ? '' : format.ago(next_read_at)
  return (
    <>
      {error && (
        <Text fz="sm" role="status">
          {t(`metrics.failed.${error.code}`, { ago: next })}
          {error.message !== null && (
            <Text span fz="sm" c="dimmed" className="text" dir="auto">
              {' '}
              {error.message}
            </Text>
          )}
        </Text>
      )}
      <Text c="dimmed" fz="sm">
        {[
          ...(read_at === null ? [] : [t('metrics.read', { ago: format.ago(read_at) })]),
          ...(next_read_at === null || error || read_at === null ? [] : [t('metrics.next', { ago: next })]),
        ].join(' · ')}
      </Text>
    </>
  )
}
