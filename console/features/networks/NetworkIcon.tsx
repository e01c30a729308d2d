import { Box } from '@mantine/core'
import { Radio } from 'lucide-react'
import type { Network } from '../../api'
import { useNetworks } from './queries'

/** The logo of a network, hidden from screen readers: the name is beside it or in a label. */
export function NetworkIcon({ network, size = 20 }: { network: string; size?: number }) {
  const { data, isPending } = useNetworks()
  const icon = data?.find(({ id }) => id === network)?.icon
  if (!icon && !isPending)
    return (
      <Box component="span" display="inline-flex" c="dimmed">
        <Radio size={size} aria-hidden="true" />
      </Box>
    )
  return <NetworkLogo icon={icon} size={size} />
}

/** Draws a logo. Empty while it is loading. */
export const NetworkLogo = ({ icon, size }: { icon: Network['icon'] | undefined; size: number }) => (
  <svg width={size} height={size} viewBox={icon?.view_box} aria-hidden="true" style={{ flexShrink: 0 }}>
    {icon?.paths.map(({ d, fill }) => (
      <path key={d} d={d} fill={fill ?? 'currentColor'} />
    ))}
  </svg>
)
