import { Anchor, Text } from '@mantine/core'
import type { OrderMessage } from './order-queries'

/** A file of an order. `isReadable`: instance admins read files only during a dispute. */
export const OrderFile = ({
  file: { name, url },
  isReadable,
}: {
  file: OrderMessage['files'][number]
  isReadable: boolean
}) =>
  isReadable ? (
    <Anchor href={url} target="_blank" rel="noreferrer" className="text" display="block">
      {name}
    </Anchor>
  ) : (
    <Text className="text">{name}</Text>
  )
