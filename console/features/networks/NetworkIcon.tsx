import { Box } from '@mantine/core'
import { Radio } from 'lucide-react'
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
  return (
    <svg width={size} height={size} viewBox={icon?.view_box} aria-hidden="true" style={{ flexShrink: 0 }}>
      {icon?.paths.map(({ d, fill }) => (
        <path key={d} d={d} fill={fill ?? 'currentColor'} />
      ))}
    </svg>
  )
}
