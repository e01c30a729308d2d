import { Anchor, Text } from '@mantine/core'
import classes from '../marketplace.module.css'
import { OrderFile } from './OrderFile'
import type { Order } from './order-queries'

type Posts = NonNullable<Order['contract']>['posts']

/** The posts, files and links of a delivery. */
export const DeliveredPosts = ({ posts, hasFiles = true }: { posts: Posts; hasFiles?: boolean }) => (
  <ul className={classes.delivered}>
    {posts.map((post) => (
      <li key={post.url ?? post.post_id ?? post.media_id}>
        <Delivered post={post} hasFiles={hasFiles} />
      </li>
    ))}
  </ul>
)

function Delivered({ post, hasFiles }: { post: Posts[number]; hasFiles: boolean }) {
  const links = [...(post.url ? [post.url] : []), ...post.links]
  return (
    <>
      {post.content && <Text className={classes.message}>{post.content}</Text>}
      {links.map((link) => (
        <Anchor key={link} href={link} target="_blank" rel="noreferrer nofollow" className="text">
          {link}
        </Anchor>
      ))}
      {post.files.map((file) => (
        <OrderFile key={file.media_id} file={file} isReadable={hasFiles} />
      ))}
    </>
  )
}
