import { Group, Text } from '@mantine/core'
import type { Account, Network } from '../../api'
import { handleOn } from '../networks/queries'
import { AccountAvatar } from './AccountAvatar'

type Props = {
  account: Pick<Account, 'id' | 'name' | 'network' | 'handle' | 'avatar_url'>
  network: Network | undefined
  /** Size of the picture in pixels. */
  size: number
}

/** The picture of an account, its name, its network and its handle there. */
export function AccountSummary({
  account: { id, name, network: network_id, handle, avatar_url },
  network,
  size,
}: Props) {
  return (
    <Group wrap="nowrap" miw={0} gap="sm">
      <AccountAvatar id={id} name={name} network={network_id} size={size} picture={avatar_url} />
      <div style={{ minWidth: 0 }}>
        <Text fw={650} truncate dir="auto">
          {name}
        </Text>
        <Text c="dimmed" fz="sm" truncate>
          {network?.name ?? network_id} · {handleOn(network, handle)}
        </Text>
      </div>
    </Group>
  )
}
