import { Anchor, Card, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from '../marketplace.module.css'
import type { Order } from './order-queries'

/** The requirements of the buyer, and what was delivered last. */
export function OrderContract({
  order: { requirements, contract, revisions_allowed, revisions_used },
}: {
  order: Order
}) {
  const { t } = useTranslation()
  if (!requirements && !contract) return null
  return (
    <Card component="section" aria-label={t('orders.contract')}>
      <Stack>
        {requirements && (
          <div>
            <Title order={2} size="h4">
              {t('orders.requirements')}
            </Title>
            <Text className={classes.message}>{requirements}</Text>
          </div>
        )}
        {contract && (
          <div>
            <Title order={2} size="h4">
              {t('orders.delivery')}
            </Title>
            <ul className={classes.delivered}>
              {contract.posts.map((post) => (
                <li key={post.url ?? post.post_id ?? post.media_id}>
                  <Delivered post={post} />
                </li>
              ))}
            </ul>
            {contract.notes && <Text className={classes.message}>{contract.notes}</Text>}
            <Text fz="sm" c="dimmed">
              {t('orders.revisions', { used: revisions_used, allowed: revisions_allowed })}
            </Text>
          </div>
        )}
      </Stack>
    </Card>
  )
}

function Delivered({ post }: { post: NonNullable<Order['contract']>['posts'][number] }) {
  const links = [...(post.url ? [post.url] : []), ...post.links]
  return (
    <>
      {post.content && <Text className={classes.message}>{post.content}</Text>}
      {links.map((link) => (
        <Anchor key={link} href={link} target="_blank" rel="noreferrer nofollow" className="text">
          {link}
        </Anchor>
      ))}
      {post.files.map(({ media_id, name, url }) => (
        <Anchor key={media_id} href={url} target="_blank" rel="noreferrer" className="text">
          {name}
        </Anchor>
      ))}
    </>
  )
}
