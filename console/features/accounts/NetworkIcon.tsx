import { Box } from '@mantine/core'
import type { TFunction } from 'i18next'
import { Radio } from 'lucide-react'
import { translateDynamic } from '../../i18n'
import { Logo } from '../../ui/layout/Logo'

/** The name of a network; its id if the console does not know the network yet. */
export const networkName = (t: TFunction, id: string) => translateDynamic(t, `network.${id}`, id)

/** The logo of a network, hidden from screen readers: the name is beside it or in a label. */
export function NetworkIcon({ network, size = 20 }: { network: string; size?: number }) {
  if (network === 'playground') return <Logo size={size} />
  if (network === 'bluesky')
    return (
      <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
        <path
          fill="#1185fe"
          d="M12 10.9C10.9 8.8 8 4.9 5.3 3 2.7 1.1 1.7 1.5 1.1 1.8.3 2.1 0 3.4 0 4.1c0 .8.4 6.2.7 7.1.9 3 4 4 6.9 3.7-4.2.6-8 2.1-3.1 7.6 5.4 5.6 7.4-1.2 8.4-4.6 1 3.4 2.2 9.9 8.3 4.6 4.6-4.6 1.3-7-2.9-7.6 2.9.3 6-.7 6.9-3.7.3-.9.7-6.3.7-7.1 0-.7-.1-2-1-2.3-.7-.3-1.6-.7-4.2 1.2C16 4.9 13.1 8.8 12 10.9z"
          transform="translate(.3 0) scale(.975)"
        />
      </svg>
    )
  return (
    <Box component="span" display="inline-flex" c="dimmed">
      <Radio size={size} aria-hidden="true" />
    </Box>
  )
}
