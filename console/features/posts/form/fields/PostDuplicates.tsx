import { Alert, List, Text } from '@mantine/core'
import { Copy } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { components } from '../../../../api.gen'
import { AnchorLink } from '../../../../ui/navigation/AnchorLink'
import { useFormat } from '../../../../ui/text/format'
import { useWorkspace } from '../../../workspaces/queries'
import type { PostDestination } from '../form-values'

type Props = { duplicates: components['schemas']['Validation']['duplicates']; chosen: PostDestination[] }

const keyOf = (status: Props['duplicates'][number]['status']) =>
  status === 'draft' ? 'waiting' : status === 'scheduled' ? 'scheduled' : 'published'

/** Warns that a post of the same month has the same text on an account, with a link to it. */
export function PostDuplicates({ duplicates, chosen }: Props) {
  const { t } = useTranslation()
  const { slug, timezone } = useWorkspace()
  const format = useFormat(timezone)
  const shown = duplicates.flatMap((duplicate) => {
    const account = chosen.find(({ id }) => id === duplicate.account_id)
    return account ? [{ ...duplicate, account }] : []
  })
  return (
    <div role="status">
      {shown.length > 0 && (
        <Alert color="yellow" icon={<Copy size={20} />} title={t('duplicates.title')}>
          <Text>{t('duplicates.about')}</Text>
          <List mt={6} size="sm">
            {shown.map(({ account, post_id, scheduled_at, status }) => (
              <List.Item key={account.id}>
                {account.name}:{' '}
                <AnchorLink to="/w/$workspace/posts/$post" params={{ workspace: slug, post: post_id }} target="_blank">
                  {t(`duplicates.${keyOf(status)}`, {
                    time: format.dateTime(scheduled_at),
                  })}
                </AnchorLink>
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </div>
  )
}
