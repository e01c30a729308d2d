import { Card, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Repeat } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Post } from '../../../api'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { useWorkspace } from '../../workspaces/queries'
import { usePermissions } from '../PostActions'
import { recurringPostQuery } from './queries'
import { Repetition } from './Repetition'

/** On the page of an occurrence that is still to come: the rule, and ways to change the others with it. */
export function OccurrenceNote({ post: { id, recurring_post_id } }: { post: Post }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const permissions = usePermissions()
  const recurring = useQuery({
    ...recurringPostQuery(slug, recurring_post_id ?? ''),
    enabled: recurring_post_id !== null,
  }).data?.record
  if (!recurring || recurring_post_id === null) return null
  const from = recurring.next_occurrences.find(({ post_id }) => post_id === id)?.occurs_at
  const edit = {
    to: '/w/$workspace/recurring-posts/$recurring/edit',
    params: { workspace: slug, recurring: recurring_post_id },
    variant: 'default',
    size: 'xs',
  } as const
  return (
    <Card component="section" aria-label={t('recurring.mark')}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Repeat size={18} aria-hidden="true" style={{ flex: 'none', marginTop: 3 }} />
        <div>
          <Text>
            <Repetition recurring={recurring} />
          </Text>
          {from && permissions({ ...recurring, status: 'draft' }).own && (
            <>
              <Text c="dimmed" fz="sm">
                {t('recurring.only_this')}
              </Text>
              <Group gap="xs" mt="xs">
                <ButtonLink {...edit} search={{ from: from.slice(0, 19) }}>
                  {t('recurring.edit_following')}
                </ButtonLink>
                <ButtonLink {...edit}>{t('recurring.edit_all')}</ButtonLink>
              </Group>
            </>
          )}
        </div>
      </Group>
    </Card>
  )
}
